import { expect, test } from "vitest";
import { takeAsk } from "../../src/app/approvals.ts";
import { runCommand } from "../../src/app/commands.ts";
import { moveChat } from "../../src/app/intake.ts";
import { admitText } from "../../src/app/prompts.ts";
import { answerByReply } from "../../src/app/replies.ts";
import { handleTap } from "../../src/app/taps.ts";
import type { Ask } from "../../src/core/agent-event.ts";
import type { Tap } from "../../src/core/view.ts";
import { aDesk } from "./a-desk.ts";

const ann = { id: 111, name: "Ann" };
const bob = { id: 222, name: "Bob" };
const sessions = { end: () => {}, endWhenUnused: () => {}, workOf: () => undefined };
const question = {
  tool: "AskUserQuestion",
  input: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] },
};

/** A request in a group where only Ann may answer. */
function inGroup(fields: Partial<Ask> = {}, approvers = new Map([[-100, [111]]])) {
  const stage = aDesk({ approvers });
  const { desk, session, processId, nextAsk, threadId } = stage;
  takeAsk(desk, session(), processId, nextAsk(fields));
  stage.deliver();
  const request = () => {
    const found = desk.store.requests.byWire(processId, "wire-1");
    if (found === undefined) throw new Error("There is no request");
    return found;
  };
  const thread = () => desk.store.threads.get(threadId);
  return {
    ...stage,
    request,
    thread,
    tap: (tap: Tap, by = bob) => handleTap(desk, sessions, { tap, thread: thread(), by, messageId: 1 }),
  };
}

test("a tap of somebody else changes nothing and says who can answer", () => {
  const { tap, request, desk } = inGroup();
  const requestId = request().id;
  for (const verb of ["allow", "deny", "always", "confirm", "back"] as const)
    expect(tap({ verb, requestId })).toBe("Only 111 can answer here.");
  expect(request()).toMatchObject({ state: "waiting", detail: { kind: "tool", armed: false } });
  expect(desk.store.audit.newest(1)).toEqual([]);
  expect(tap({ verb: "allow", requestId }, ann)).toBe("Allowed");
  expect(tap({ verb: "deny", requestId })).toBe("Already allowed by Ann.");
});

test("those who can answer are named as they were last known", () => {
  const { tap, request, desk } = inGroup({}, new Map([[-100, [111, 333, 444]]]));
  desk.store.audit.add({ at: 1, who: "Ann", whoId: 111, what: "allow" });
  desk.store.audit.add({ at: 2, who: "Eve", whoId: 444, what: "allow" });
  expect(tap({ verb: "allow", requestId: request().id })).toBe("Only Ann, 333 and Eve can answer here.");
});

test("where a group is not named, everybody who may use the bot may answer", () => {
  const { tap, request } = inGroup({}, new Map([[-200, [111]]]));
  expect(tap({ verb: "allow", requestId: request().id })).toBe("Allowed");
});

test("a plan and a question are answered by them alone as well", () => {
  const asked = inGroup(question);
  expect(asked.tap({ verb: "option", requestId: asked.request().id, position: 0, option: 0 })).toBe(
    "Only 111 can answer here.",
  );
  expect(asked.request().state).toBe("waiting");
  const planned = inGroup({ tool: "ExitPlanMode", input: { plan: "Do it." } });
  expect(planned.tap({ verb: "approve", requestId: planned.request().id })).toBe("Only 111 can answer here.");
});

test("a reply to the card, and a text while a question waits, are no answers of somebody else's", () => {
  const { desk, thread, request, deliver } = inGroup(question);
  expect(answerByReply(desk, thread(), bob, 1, "never")).toBe(true);
  expect(deliver().at(-1)?.text).toContain("Only 111 can answer here. This message was not used.");
  admitText(desk, thread(), bob, { text: "B, please", messageId: 50, mayContinue: false });
  expect(request().state).toBe("waiting");
  const [held] = desk.store.prompts.inThread(thread().id, "held");
  expect(held?.text).toBe("B, please");
  expect(
    handleTap(desk, sessions, {
      tap: { verb: "denysend", promptId: held?.id ?? ("" as never) },
      thread: thread(),
      by: bob,
      messageId: 1,
    }),
  ).toBe("Only 111 can answer here.");
  expect(request().state).toBe("waiting");
  admitText(desk, thread(), ann, { text: "A, please", messageId: 51, mayContinue: false });
  expect(request().state).toBe("decided");
});

test("who may not approve a plan cannot have all of them approved", () => {
  const { desk, thread, tap, deliver } = inGroup();
  expect(tap({ verb: "planmode", setting: "auto" })).toBe("Only 111 can answer here.");
  runCommand(desk, sessions, thread(), bob, { name: "planmode", args: "auto" });
  expect(deliver().at(-1)?.text).toContain("Only 111 can answer here.");
  expect(thread().planMode).toBeUndefined();
  runCommand(desk, sessions, thread(), bob, { name: "planmode", args: "on" });
  expect(thread().planMode).toBe("on");
});

test("a group that becomes a supergroup keeps its approvers", () => {
  const { desk, request, tap } = inGroup();
  moveChat(desk, -100, -100200);
  expect(tap({ verb: "allow", requestId: request().id })).toBe("Only 111 can answer here.");
  expect(tap({ verb: "allow", requestId: request().id }, ann)).toBe("Allowed");
});
