import { expect, test } from "vitest";
import type { CardId, PromptId } from "../../src/core/ids.ts";
import type { Prompt, PromptState } from "../../src/store/prompts.ts";
import { aSession, process1, process2 } from "./a-session.ts";

/** A store with a session, its process, and a way to add prompts. */
function withPrompts() {
  const store = aSession();
  store.addProcess(process1);
  const add = (name: string, fields: Partial<Prompt> = {}): Prompt => {
    const prompt: Prompt = {
      id: name as PromptId,
      threadId: store.home,
      text: `text of ${name}`,
      state: "queued",
      author: "Ann",
      authorId: 111,
      tries: 0,
      createdAt: 10,
      ...fields,
    };
    store.prompts.add(prompt);
    return prompt;
  };
  return { ...store, add };
}

const ids = (prompts: Prompt[]) => prompts.map(({ id }) => id);

test("a prompt is there after a restart as it was written down", () => {
  const { add, restart } = withPrompts();
  const plain = add("p1");
  const pasted = add("p2", { state: "gathering", messageId: 7, settleAt: 5000, tries: 1 });
  const { prompts } = restart();
  expect([prompts.get(plain.id), prompts.get(pasted.id)]).toEqual([plain, pasted]);
  expect(prompts.get("nobody" as PromptId)).toBeUndefined();
});

test("a prompt's id is used once: Claude would not run it a second time", () => {
  const { add } = withPrompts();
  add("p1");
  expect(() => add("p1")).toThrow("UNIQUE");
});

test("prompts keep the order in which they were written, whatever their ids and moves", () => {
  const { add, prompts, home } = withPrompts();
  for (const name of ["z", "a", "m"]) add(name);
  prompts.move("z" as PromptId, "held");
  prompts.move("z" as PromptId, "queued");
  expect(ids(prompts.inThread(home, "queued"))).toEqual(["z", "a", "m"]);
});

test.each<PromptState>(["gathering", "queued", "held", "sent", "taken", "done", "cancelled", "lost"])(
  "a prompt can be %s, and is then in that list alone",
  (state) => {
    const { add, prompts, home } = withPrompts();
    const { id } = add("p1");
    add("p2", { state: state === "queued" ? "held" : "queued" });
    prompts.move(id, state);
    expect(ids(prompts.inThread(home, state))).toEqual([id]);
    expect(ids(prompts.everywhere(state))).toEqual([id]);
  },
);

test("a state that nobody knows cannot be written", () => {
  const { add, db } = withPrompts();
  add("p1");
  expect(() => db.exec("UPDATE prompts SET state = 'forgotten'")).toThrow("CHECK");
});

test("a thread's list holds no other thread's prompts, the list of all holds them", () => {
  const { add, prompts, home, thread } = withPrompts();
  const away = thread("away", 2);
  add("p1", { threadId: away });
  add("p2");
  expect(ids(prompts.inThread(home, "queued"))).toEqual(["p2"]);
  expect(ids(prompts.inThread(away, "queued"))).toEqual(["p1"]);
  expect(ids(prompts.everywhere("queued"))).toEqual(["p1", "p2"]);
});

test("a prompt that was sent knows its session and its process, and counts the try", () => {
  const { add, prompts, session, processes, addProcess } = withPrompts();
  const { id } = add("p1");
  prompts.sent(id, session, process1);
  expect(prompts.get(id)).toMatchObject({ state: "sent", sessionId: session, processId: process1, tries: 1 });
  expect(ids(prompts.ofProcess(process1, "sent"))).toEqual([id]);
  expect(ids(prompts.inSession(session, "sent"))).toEqual([id]);

  processes.ended(process1, 1, 20);
  addProcess(process2);
  prompts.move(id, "queued");
  prompts.sent(id, session, process2);
  expect(prompts.get(id)).toMatchObject({ processId: process2, tries: 2 });
  expect(prompts.ofProcess(process1, "sent")).toEqual([]);
});

test("a prompt is taken once, however often Claude says so", () => {
  const { add, prompts, session, restart } = withPrompts();
  const { id } = add("p1");
  prompts.sent(id, session, process1);
  expect([prompts.taken(id), prompts.taken(id)]).toEqual([true, false]);
  expect(restart().prompts.taken(id)).toBe(false);
});

test.each<PromptState>(["gathering", "queued", "held", "taken", "done", "cancelled", "lost"])(
  "a prompt that is %s cannot be taken",
  (state) => {
    const { add, prompts } = withPrompts();
    const { id } = add("p1", { state });
    expect(prompts.taken(id)).toBe(false);
    expect(prompts.get(id)?.state).toBe(state);
  },
);

test("a prompt that is not ours is not taken", () => {
  expect(withPrompts().prompts.taken("nobody" as PromptId)).toBe(false);
});

test("another piece of a paste replaces the text and moves the end of the wait", () => {
  const { add, prompts } = withPrompts();
  const { id } = add("p1", { state: "gathering", text: "one", settleAt: 100 });
  prompts.extend(id, "one\ntwo", 200);
  expect(prompts.get(id)).toMatchObject({ text: "one\ntwo", settleAt: 200, state: "gathering" });
});

test("a prompt knows the card that says what it waits for", () => {
  const { add, prompts, restart } = withPrompts();
  const { id } = add("p1", { state: "held" });
  prompts.shownOn(id, "c1" as CardId);
  expect(restart().prompts.get(id)).toMatchObject({ state: "held", cardId: "c1" });
});
