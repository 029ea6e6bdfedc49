import { expect, test } from "vitest";
import { tempStore } from "../support/temp-store.ts";

const day = 24 * 60 * 60 * 1000;
const week = 7 * day;

const anUpdate = (updateId: number) => ({ updateId, body: JSON.stringify({ update_id: updateId }) });

test("updates are handed out once each, in the order in which they came", () => {
  const { inbox } = tempStore();
  inbox.record([anUpdate(7), anUpdate(8)], 1);
  const handled: number[] = [];
  for (let next = inbox.nextNew(); next !== undefined; next = inbox.nextNew()) {
    handled.push(next.updateId);
    inbox.finish(next.updateId, 2);
  }
  expect(handled).toEqual([7, 8]);
});

test("a redelivered update is not new, whether it was handled or not", () => {
  const { inbox } = tempStore();
  inbox.record([anUpdate(7), anUpdate(8)], 1);
  inbox.finish(7, 2);
  expect(inbox.record([anUpdate(7), anUpdate(8), anUpdate(9)], 3)).toBe(1);
  expect(inbox.nextNew()).toEqual(anUpdate(8));
});

test("what was recorded and not handled is still there after a restart", () => {
  const store = tempStore();
  store.inbox.record([anUpdate(7), anUpdate(8)], 1);
  store.inbox.finish(7, 2);
  expect(store.reopen().inbox.nextNew()).toEqual(anUpdate(8));
});

test("an update that could not be handled steps aside for the next one", () => {
  const { inbox, db } = tempStore();
  inbox.record([anUpdate(7), anUpdate(8)], 1);
  inbox.fail(7, "no such thing", 2);
  expect(inbox.nextNew()).toEqual(anUpdate(8));
  expect(db.prepare("SELECT state, error, done_at FROM inbox WHERE update_id = 7").get()).toEqual({
    state: "failed",
    error: "no such thing",
    done_at: 2,
  });
});

test("when Telegram starts its numbers anew and lower, order is still the order of arrival", () => {
  const { inbox } = tempStore();
  inbox.record([anUpdate(900_000_000)], 1);
  inbox.record([anUpdate(2_000_001)], 2);
  expect(inbox.nextNew()).toEqual(anUpdate(900_000_000));
});

test("an empty poll is noted too, so that the time away is known after a restart", () => {
  const store = tempStore();
  expect(store.inbox.lastPollAt()).toBeUndefined();
  expect(store.inbox.record([], 5000)).toBe(0);
  expect(store.reopen().inbox.lastPollAt()).toBe(5000);
});

test("old handled updates are forgotten, unhandled ones and the newest batch never", () => {
  const { inbox } = tempStore();
  inbox.record([anUpdate(1), anUpdate(2)], 0);
  inbox.finish(1, 1);
  inbox.record([anUpdate(3)], 2);
  inbox.finish(3, 3);
  expect(inbox.prune(100 * week)).toBe(1);
  expect(inbox.record([anUpdate(1), anUpdate(2), anUpdate(3)], 101 * week)).toBe(1);
});

test("an update handled within the last week is kept", () => {
  const { inbox } = tempStore();
  inbox.record([anUpdate(1)], 0);
  inbox.finish(1, 6 * day);
  inbox.record([anUpdate(2)], 7 * day);
  expect(inbox.prune(8 * day - week)).toBe(0);
});
