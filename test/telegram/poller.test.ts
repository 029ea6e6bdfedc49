import { GrammyError, HttpError } from "grammy";
import type { Update } from "grammy/types";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPoller } from "../../src/telegram/poller.ts";
import { manualClock } from "../support/manual-clock.ts";
import { tempStore } from "../support/temp-store.ts";

type Answer = number[] | Error | "open";

/** A poller over a real inbox, with a Telegram that gives the answers of the list and then keeps the poll open. */
function setUp(answers: Answer[]) {
  const store = tempStore();
  const clock = manualClock();
  const asked: { at: number; offset: number | undefined }[] = [];
  const events: string[] = [];
  const poller = createPoller({
    inbox: store.inbox,
    clock,
    random: () => 0,
    api: {
      getUpdates(other, signal) {
        asked.push({ at: clock.now(), offset: other?.offset });
        const answer = answers.shift() ?? "open";
        if (answer instanceof Error) return Promise.reject(answer);
        if (answer !== "open") return Promise.resolve(answer.map(anUpdate));
        return new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new HttpError("aborted", new Error("aborted"))));
        });
      },
    },
    events: {
      arrived: () => events.push("arrived"),
      conflict: (description) => events.push(`conflict: ${description}`),
      refused: (description) => events.push(`refused: ${description}`),
      trouble: (error) => events.push(String(error)),
    },
  });
  onTestFinished(() => poller.stop());
  return { store, clock, asked, events, poller, times: () => asked.map((ask) => ask.at) };
}

function anUpdate(id: number): Update {
  return { update_id: id };
}

function refusal(code: number, description: string, parameters = {}): GrammyError {
  return new GrammyError(
    "failed",
    { ok: false, error_code: code, description, parameters },
    "getUpdates",
    {},
  );
}

const noNetwork = new HttpError("Network request for 'getUpdates' failed!", new Error("secret"));

test("a poll confirms only what is a row already", async () => {
  const { asked, clock, events, poller, store } = setUp([[7, 8], [9]]);
  poller.start();
  await clock.settle();
  expect(asked.map((ask) => ask.offset)).toEqual([undefined, 9, 10]);
  expect(store.db.prepare("SELECT update_id FROM inbox").pluck().all()).toEqual([7, 8, 9]);
  expect(events).toEqual(["arrived", "arrived"]);
});

test("a redelivered update wakes nobody", async () => {
  const { clock, events, poller, store } = setUp([[7, 8]]);
  store.inbox.record(
    [7, 8].map((updateId) => ({ updateId, body: "{}" })),
    0,
  );
  poller.start();
  await clock.settle();
  expect(events).toEqual([]);
});

test("when Telegram starts its numbers anew and lower, the next poll follows it down", async () => {
  const { asked, clock, poller } = setUp([[900_000_000], [2_000_001]]);
  poller.start();
  await clock.settle();
  expect(asked.map((ask) => ask.offset)).toEqual([undefined, 900_000_001, 2_000_002]);
});

test("an update that could not be written is not confirmed", async () => {
  const { asked, clock, events, poller, store } = setUp([[7], [7]]);
  store.db.exec("CREATE TRIGGER full BEFORE INSERT ON inbox BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  poller.start();
  await clock.settle();
  store.db.exec("DROP TRIGGER full");
  await clock.advance(1000);
  expect(asked).toEqual([
    { at: 0, offset: undefined },
    { at: 1000, offset: undefined },
    { at: 1000, offset: 8 },
  ]);
  expect(events).toEqual(["SqliteError: disk full", "arrived"]);
});

test("every answered poll is noted, also an empty one", async () => {
  const { clock, poller, store } = setUp([[], noNetwork]);
  await clock.advance(5000);
  poller.start();
  await clock.advance(500);
  expect(store.inbox.lastPollAt()).toBe(5000);
});

describe("trouble", () => {
  test("without a network polls come ever more slowly, and at once again after a success", async () => {
    const { clock, poller, times } = setUp([noNetwork, noNetwork, noNetwork, [], noNetwork]);
    poller.start();
    await clock.advance(8000);
    expect(times()).toEqual([0, 1000, 3000, 7000, 7000, 8000]);
  });

  test("what is told of a failed call does not hold what was inside the error", async () => {
    const { clock, events, poller } = setUp([noNetwork]);
    poller.start();
    await clock.settle();
    expect(events).toEqual(["Error: Network request for 'getUpdates' failed!"]);
  });

  test("a flood wait is obeyed", async () => {
    const { clock, poller, times } = setUp([
      refusal(429, "Too Many Requests: retry after 7", { retry_after: 7 }),
    ]);
    poller.start();
    await clock.advance(60_000);
    expect(times().slice(0, 2)).toEqual([0, 7000]);
  });

  test("a second poller is told of once a minute, and we never go deaf", async () => {
    const conflict = refusal(409, "Conflict: terminated by other getUpdates request");
    const { asked, clock, events, poller } = setUp(Array<Error>(8).fill(conflict));
    poller.start();
    await clock.advance(5 * 60_000);
    // Tries at 0, 1, 3, 7, 15, 31, 63 and 123 s; told at 0, 63 and 123.
    expect(events.filter((event) => event.startsWith("conflict"))).toHaveLength(3);
    expect(asked.length).toBeGreaterThan(8);
  });

  test("a token that is not valid ends polling and says so", async () => {
    const { asked, clock, events, poller } = setUp([refusal(401, "Unauthorized")]);
    poller.start();
    await clock.advance(60 * 60_000);
    expect({ asked: asked.length, events }).toEqual({ asked: 1, events: ["refused: Unauthorized"] });
  });

  test("a poll that is never answered is cut off and made again", async () => {
    const { clock, poller, times } = setUp(["open", "open"]);
    poller.start();
    await clock.advance(46_000);
    expect(times()).toEqual([0, 46_000]);
  });
});

describe("stop", () => {
  test("breaks off the open poll", async () => {
    const { asked, clock, events, poller } = setUp([]);
    poller.start();
    await clock.settle();
    await poller.stop();
    await clock.advance(60 * 60_000);
    expect({ asked: asked.length, events }).toEqual({ asked: 1, events: [] });
  });

  test("breaks off the wait for another try", async () => {
    const { asked, clock, poller } = setUp([noNetwork]);
    poller.start();
    await clock.settle();
    await poller.stop();
    await clock.advance(60 * 60_000);
    expect(asked).toHaveLength(1);
  });

  test("before the start is no harm", async () => {
    const { asked, poller } = setUp([]);
    await poller.stop();
    expect(asked).toEqual([]);
  });
});
