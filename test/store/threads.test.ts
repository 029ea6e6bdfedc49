import { expect, test } from "vitest";
import type { SessionId, ThreadId } from "../../src/core/ids.ts";
import { openGate } from "../../src/core/plan-gate.ts";
import { sessionRows } from "../../src/store/sessions.ts";
import { threadRows } from "../../src/store/threads.ts";
import { tempStore } from "../support/temp-store.ts";
import { aSession } from "./a-session.ts";

test("a thread is found by its id and by its place, and by no other place", () => {
  const { threads } = tempStore();
  const added = threads.add(
    { id: "t1" as ThreadId, chatId: -7, topicId: 3, chatKind: "group", enabled: false },
    1,
  );
  expect(added).toEqual({
    id: "t1",
    chatId: -7,
    topicId: 3,
    chatKind: "group",
    enabled: false,
    gate: openGate,
  });
  expect(threads.get(added.id)).toEqual(added);
  expect(threads.at(-7, 3)).toEqual(added);
  expect(threads.at(-7, 0)).toBeUndefined();
});

test("a thread that is not there is a surprise", () => {
  const { threads } = tempStore();
  expect(() => threads.get("nobody" as ThreadId)).toThrow("there is no thread nobody");
});

test("a place has one thread", () => {
  const { thread } = tempStore();
  thread("t1", -7, 3);
  expect(() => thread("t2", -7, 3)).toThrow("UNIQUE");
});

test("what a person set for a thread is there after a restart", () => {
  const { threads, home, session, restart } = aSession();
  const gate = { pauses: 2, pausedAt: 5000, denials: 1, outline: "First …", pausedPlan: "1. Do it." };
  threads.enable(home);
  threads.choose(home, "web");
  threads.bind(home, session);
  threads.setPlanMode(home, "auto");
  threads.setGate(home, gate);
  expect(threadRows(restart().db).get(home)).toEqual({
    id: home,
    chatId: 1,
    topicId: 0,
    chatKind: "private",
    enabled: true,
    project: "web",
    sessionId: session,
    planMode: "auto",
    gate,
  });
});

test("what was set can be taken back", () => {
  const { threads, home, session } = aSession();
  const before = threads.get(home);
  threads.bind(home, session);
  threads.setPlanMode(home, "on");
  threads.setGate(home, { pauses: 1, pausedAt: 5000, denials: 0, outline: "", pausedPlan: "x" });
  threads.bind(home, undefined);
  threads.setPlanMode(home, undefined);
  threads.setGate(home, openGate);
  expect(threads.get(home)).toEqual(before);
});

test("a thread cannot be bound to a session that is not there", () => {
  const { threads, home } = aSession();
  expect(() => threads.bind(home, "nobody" as SessionId)).toThrow("FOREIGN KEY");
});

test("private chats are told what could not be said elsewhere, their topics and groups are not", () => {
  const { threads, thread } = tempStore();
  thread("topic", 1, 5);
  thread("ann", 1);
  thread("group", -7);
  thread("bob", 2);
  expect(threads.privateOnes().map(({ id }) => id)).toEqual(["ann", "bob"]);
});

test("the threads of a group go on under its new chat id, with all they know", () => {
  const { threads, thread } = tempStore();
  const main = thread("main", -7);
  const topic = thread("topic", -7, 3);
  thread("other", -8);
  threads.choose(topic, "web");
  const moved = threads.moveChat(-7, -1007);
  expect(moved.map(({ id, chatId }) => [id, chatId])).toEqual([
    [main, -1007],
    [topic, -1007],
  ]);
  expect(threads.inChat(-1007)).toEqual(moved);
  expect(threads.at(-1007, 3)?.project).toBe("web");
  expect(threads.inChat(-7)).toEqual([]);
  expect(threads.inChat(-8)).toHaveLength(1);
});

test("a thread whose new place is taken by one in use stays, and is not said to have moved", () => {
  const { db, threads, thread } = tempStore();
  const old = thread("old", -7);
  const topic = thread("topic", -7, 3);
  const early = thread("early", -1007);
  sessionRows(db).add({ id: "s1" as SessionId, threadId: early, project: "web", claudeId: "c1" }, 1);
  expect(threads.moveChat(-7, -1007).map(({ id }) => id)).toEqual([topic]);
  expect(threads.get(old).chatId).toBe(-7);
  expect(threads.at(-1007, 0)?.id).toBe(early);
});

test("a thread at the new place that was never used makes room", () => {
  const { threads, thread } = tempStore();
  const old = thread("old", -7);
  thread("early", -1007);
  expect(threads.moveChat(-7, -1007).map(({ id }) => id)).toEqual([old]);
  expect(threads.at(-1007, 0)?.id).toBe(old);
});

test("a chat that is said to have moved to itself stays as it is", () => {
  const { threads, thread } = tempStore();
  thread("main", -7);
  expect(threads.moveChat(-7, -7)).toEqual([]);
});

test("to move a chat again changes nothing", () => {
  const { threads, thread } = tempStore();
  thread("main", -7);
  threads.moveChat(-7, -1007);
  expect(threads.moveChat(-7, -1007)).toEqual([]);
});
