import { expect, test } from "vitest";
import type { SessionId, ThreadId } from "../../src/core/ids.ts";
import { aSession } from "./a-session.ts";

test("a new session has no conversation, no mode and no cost", () => {
  const { sessions, session, home } = aSession();
  expect(sessions.get(session)).toEqual({
    id: session,
    threadId: home,
    project: "web",
    claudeId: "claude-session-1",
    conversation: "none",
    costUsd: 0,
  });
});

test("a session that is not there, or whose thread is not, is a surprise", () => {
  const { sessions } = aSession();
  expect(() => sessions.get("nobody" as SessionId)).toThrow("there is no session nobody");
  const lost = { id: "s2" as SessionId, threadId: "nobody" as ThreadId, project: "web", claudeId: "c" };
  expect(() => sessions.add(lost, 0)).toThrow("FOREIGN KEY");
});

test("the latest session of a thread is the one used last, in that project", () => {
  const { sessions, addSession, home } = aSession();
  const first = addSession("first", "shop", 1);
  const second = addSession("second", "shop", 2);
  addSession("third", "blog", 3);
  expect(sessions.latest(home, "shop")?.id).toBe(second);
  sessions.touch(first, 9);
  expect(sessions.latest(home, "shop")?.id).toBe(first);
  expect(sessions.latest(home, "none")).toBeUndefined();
});

test("of two sessions used in the same millisecond the newer one is the latest", () => {
  const { sessions, addSession, home } = aSession();
  addSession("first", "shop", 1);
  expect(sessions.latest(home, "shop")?.id).toBe("first");
  const second = addSession("second", "shop", 1);
  expect(sessions.latest(home, "shop")?.id).toBe(second);
});

test("what Claude said of a session is there after a restart", () => {
  const { sessions, session, restart } = aSession();
  sessions.setMode(session, "plan");
  sessions.setModel(session, "sonnet");
  sessions.setConversation(session, "kept");
  expect(restart().sessions.get(session)).toMatchObject({
    mode: "plan",
    model: "sonnet",
    conversation: "kept",
  });
});

test("a new name of the conversation has nothing to resume yet, the same name again changes nothing", () => {
  const { sessions, session } = aSession();
  sessions.setConversation(session, "kept");
  sessions.named(session, "claude-session-1");
  expect(sessions.get(session).conversation).toBe("kept");
  sessions.named(session, "after-clear");
  expect(sessions.get(session)).toMatchObject({ claudeId: "after-clear", conversation: "tried" });
});

test("a turn costs what the running total grew by", () => {
  const { sessions, session } = aSession();
  expect(sessions.addTotal(session, 0.25)).toBe(0.25);
  expect(sessions.addTotal(session, 0.75)).toBe(0.5);
  expect(sessions.addTotal(session, 0.75)).toBe(0);
  expect(sessions.get(session).costUsd).toBe(0.75);
});

test("a smaller total means that Claude counts anew, so all of it is this turn's", () => {
  const { sessions, session } = aSession();
  sessions.addTotal(session, 1);
  expect(sessions.addTotal(session, 0.25)).toBe(0.25);
  expect(sessions.addTotal(session, 0.5)).toBe(0.25);
  expect(sessions.get(session).costUsd).toBe(1.5);
});

test("a total that goes on after a restart is not counted twice", () => {
  const { sessions, session, restart } = aSession();
  sessions.addTotal(session, 1);
  expect(restart().sessions.addTotal(session, 1.25)).toBe(0.25);
});

test("the cost of all sessions is their sum, and nothing while there are none", () => {
  const { sessions, session, addSession, db } = aSession();
  sessions.addTotal(session, 1);
  sessions.addTotal(addSession("session-2"), 0.5);
  expect(sessions.totalCost()).toBe(1.5);
  db.exec("DELETE FROM sessions");
  expect(sessions.totalCost()).toBe(0);
});
