import { expect, test } from "vitest";
import type { SessionId, TurnId } from "../../src/core/ids.ts";
import { aSession } from "./a-session.ts";

test("an open turn is found by its id and by its session, also after a restart", () => {
  const { addTurn, session, home, restart } = aSession();
  const turn = addTurn("turn-1");
  expect(turn).toEqual({
    id: "turn-1",
    threadId: home,
    sessionId: session,
    origin: "prompt",
    state: "open",
    cardId: "card-turn-1",
    startedAt: 10,
  });
  const { turns } = restart();
  expect(turns.get(turn.id)).toEqual(turn);
  expect(turns.openOf(session)).toEqual(turn);
  expect(turns.get("nobody" as TurnId)).toBeUndefined();
  expect(turns.openOf("nobody" as SessionId)).toBeUndefined();
});

test("a session has one open turn: a second cannot even be written", () => {
  const { addTurn, turns } = aSession();
  const first = addTurn("turn-1");
  expect(() => addTurn("turn-2")).toThrow("UNIQUE");
  turns.close(first.id, "done", undefined, 20);
  expect(addTurn("turn-2").state).toBe("open");
});

test("two sessions may each have an open turn, the one that began first stands first", () => {
  const { addTurn, addSession, session, turns } = aSession();
  addTurn("turn-1", addSession("session-2"), 20);
  addTurn("turn-2", session, 10);
  expect(turns.open().map(({ id }) => id)).toEqual(["turn-2", "turn-1"]);
});

test("a turn ends once: what comes later changes neither its state nor its figures", () => {
  const { addTurn, turns, db, session } = aSession();
  const { id } = addTurn("turn-1");
  turns.close(id, "done", { costUsd: 0.5, inputTokens: 100, outputTokens: 20 }, 30);
  turns.close(id, "failed", { costUsd: 9, inputTokens: 9, outputTokens: 9 }, 40);
  turns.stoppedBy(id, "Ann");
  expect(turns.get(id)).not.toHaveProperty("stoppedBy");
  expect(turns.openOf(session)).toBeUndefined();
  expect(db.prepare("SELECT state, cost, input_tokens, output_tokens, ended_at FROM turns").get()).toEqual({
    state: "done",
    cost: 0.5,
    input_tokens: 100,
    output_tokens: 20,
    ended_at: 30,
  });
});

test("a turn that ended without a result has no figures", () => {
  const { addTurn, turns, db } = aSession();
  turns.close(addTurn("turn-1").id, "stopped", undefined, 30);
  expect(db.prepare("SELECT state, cost FROM turns").get()).toEqual({ state: "stopped", cost: null });
});

test("who stopped an open turn is known until and after its end", () => {
  const { addTurn, turns } = aSession();
  const { id } = addTurn("turn-1");
  turns.stoppedBy(id, "Ann");
  expect(turns.get(id)).toMatchObject({ state: "open", stoppedBy: "Ann" });
  turns.close(id, "stopped", undefined, 30);
  expect(turns.get(id)).toMatchObject({ state: "stopped", stoppedBy: "Ann" });
});
