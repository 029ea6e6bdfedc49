import { expect, test } from "vitest";
import type { CardId, ProcessId, RequestId } from "../../src/core/ids.ts";
import type { Outcome } from "../../src/core/view.ts";
import { openDatabase } from "../../src/store/database.ts";
import { type RequestDetail, requestRows } from "../../src/store/requests.ts";
import { aSession, process1, process2 } from "./a-session.ts";

const allowed: Outcome = { kind: "allowed", by: "Ann", at: 20 };
const denied: Outcome = { kind: "denied", by: "Bob", at: 20 };

/** A store with a process that can ask. */
function withProcess() {
  const store = aSession();
  store.addProcess(process1);
  return store;
}

test("a request waits, and is found by its id and by Claude's, also after a restart", () => {
  const { addRequest, restart } = withProcess();
  const request = addRequest("r1");
  expect(request.state).toBe("waiting");
  const { requests } = restart();
  expect(requests.get(request.id)).toEqual(request);
  expect(requests.byWire(process1, "wire-r1")).toEqual(request);
  expect(requests.byWire("nobody" as ProcessId, "wire-r1")).toBeUndefined();
  expect(requests.get("nobody" as RequestId)).toBeUndefined();
});

test("Claude's id for a request names it once in each process", () => {
  const { addRequest, addProcess, addSession, requests, db } = withProcess();
  addRequest("r1");
  addProcess(process2, addSession("session-2"));
  addRequest("r2", process2);
  db.exec("UPDATE requests SET wire_id = 'same' WHERE id = 'r2'");
  expect(() => db.exec("UPDATE requests SET wire_id = 'same', process_id = 'process-2'")).toThrow("UNIQUE");
  db.exec("UPDATE requests SET wire_id = 'same'");
  expect([requests.byWire(process1, "same")?.id, requests.byWire(process2, "same")?.id]).toEqual([
    "r1",
    "r2",
  ]);
});

test("a request is found by the card that shows it last", () => {
  const { addRequest, requests } = withProcess();
  const { id } = addRequest("r1");
  requests.shownOn(id, "c1" as CardId);
  requests.shownOn(id, "c2" as CardId);
  expect(requests.byCard("c1" as CardId)).toBeUndefined();
  expect(requests.byCard("c2" as CardId)).toMatchObject({ id, cardId: "c2" });
});

test("the first decision is the only one, and it is the one that is kept", () => {
  const { addRequest, requests } = withProcess();
  const { id } = addRequest("r1");
  expect(requests.close(id, "decided", allowed, 20)).toBe(true);
  expect(requests.close(id, "decided", denied, 21)).toBe(false);
  expect(requests.close(id, "withdrawn", { kind: "withdrawn", at: 22 }, 22)).toBe(false);
  expect(requests.get(id)).toMatchObject({ state: "decided", outcome: allowed });
});

test("a request that is not there cannot be decided", () => {
  expect(withProcess().requests.close("nobody" as RequestId, "decided", allowed, 20)).toBe(false);
});

test("of many decisions, from two connections in any order, exactly one wins each request", () => {
  const { addRequest, requests, db } = withProcess();
  const other = openDatabase(db.name);
  const sides = [requests, requestRows(other)];
  const random = sequence(4711);
  const wins = new Map<RequestId, Outcome[]>();
  try {
    const names = Array.from({ length: 30 }, (_, index) => addRequest(`r${index}`).id);
    const attempts = names.flatMap((id) =>
      Array.from({ length: 5 }, (_, nth) => ({ id, nth, key: random() })),
    );
    attempts.sort((a, b) => a.key - b.key);
    for (const { id, nth } of attempts) {
      const outcome: Outcome = { kind: "denied", by: `tap ${nth}`, at: 20 };
      const side = sides[Math.floor(random() * sides.length)];
      if (side?.close(id, "decided", outcome, 20)) wins.set(id, [...(wins.get(id) ?? []), outcome]);
    }
    expect(wins.size).toBe(names.length);
    for (const [id, outcomes] of wins) {
      expect(outcomes).toHaveLength(1);
      expect(requests.get(id)?.outcome).toEqual(outcomes[0]);
    }
    expect(requests.waiting()).toEqual([]);
  } finally {
    other.close();
  }
});

test("what a person filled in is kept while the request waits, and not changed afterwards", () => {
  const { addRequest, requests } = withProcess();
  const { id } = addRequest("r1");
  const armed: RequestDetail = { kind: "tool", armed: true };
  requests.setDetail(id, armed);
  expect(requests.get(id)?.detail).toEqual(armed);
  requests.close(id, "decided", allowed, 20);
  requests.setDetail(id, { kind: "tool", armed: false });
  expect(requests.get(id)?.detail).toEqual(armed);
});

test("the lists hold what waits, the one asked first in front", () => {
  const { addRequest, addProcess, addSession, requests, home, thread } = withProcess();
  addProcess(process2, addSession("session-2"));
  addRequest("late", process1, 30);
  addRequest("early", process2, 10);
  const first = addRequest("middle", process1, 20);
  addRequest("same-time", process1, 20);
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  expect(ids(requests.waiting())).toEqual(["early", "middle", "same-time", "late"]);
  expect(ids(requests.waitingIn(home))).toEqual(["early", "middle", "same-time", "late"]);
  expect(ids(requests.waitingOf(process1))).toEqual(["middle", "same-time", "late"]);
  expect(requests.waitingIn(thread("away", 2))).toEqual([]);
  requests.close(first.id, "ended", { kind: "ended", at: 40, why: "stopped" }, 40);
  expect(ids(requests.waitingOf(process1))).toEqual(["same-time", "late"]);
});

test("what waits on a card for long is found, and what was reminded of once is known, also after a restart", () => {
  const { addRequest, requests, restart, card, home } = withProcess();
  for (const [name, now] of [
    ["old", 10],
    ["older", 5],
    ["new", 30],
    ["unseen", 1],
    ["over", 2],
  ] as const) {
    const { id } = addRequest(name, process1, now);
    if (name !== "unseen") requests.shownOn(id, card(`card-${name}`, home));
    if (name === "over") requests.close(id, "decided", allowed, 20);
    if (name === "older") requests.reminded(id, 20);
  }
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  const after = restart().requests;
  expect(ids(after.waitingSince(10))).toEqual(["older", "old"]);
  expect(ids(after.unremindedSince(10))).toEqual(["old"]);
  expect(ids(after.unremindedSince(30))).toEqual(["old", "new"]);
});

/** Numbers between 0 and 1 that look random and are the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
