import { expect, test } from "vitest";
import { takeAsk, withdrawRequest } from "../../src/app/approvals.ts";
import { sweepOverdue } from "../../src/app/overdue.ts";
import { aDesk, noon } from "./a-desk.ts";

/** A desk with one request on its card. */
function waiting(approvals: { remindMinutes?: number; expireMinutes?: number }) {
  const stage = aDesk({ approvals });
  takeAsk(stage.desk, stage.session(), stage.processId, stage.nextAsk());
  stage.deliver();
  const requestState = (desk = stage.desk) => desk.store.requests.byWire(stage.processId, "wire-1")?.state;
  return { ...stage, requestState };
}

test("without a word in the config nobody is reminded and nothing expires", () => {
  const { desk, wait, hearNothing, deliver, requestState } = waiting({});
  wait(100_000);
  hearNothing();
  sweepOverdue(desk, noon);
  expect([deliver().length, requestState()]).toEqual([1, "waiting"]);
});

test("a card that waits for long is followed by one reminder that replies to it, also across a restart", () => {
  const { desk, wait, deliver, restart } = waiting({ remindMinutes: 10 });
  wait(9);
  sweepOverdue(desk, noon);
  expect(deliver()).toHaveLength(1);
  wait(1);
  sweepOverdue(desk, noon);
  sweepOverdue(desk, noon);
  const [card, reminder, ...more] = deliver();
  expect(reminder).toMatchObject({
    text: expect.stringContaining("This still waits for you:"),
    replyTo: card?.messageId,
  });
  expect(reminder?.text).toContain("npm test");
  wait(60);
  sweepOverdue(restart(), noon);
  expect([...more, ...deliver()]).toHaveLength(2);
});

test("a card that has not reached Telegram yet is no reason to remind of it", () => {
  const { desk, session, processId, nextAsk, wait, deliver } = aDesk({ approvals: { remindMinutes: 1 } });
  takeAsk(desk, session(), processId, nextAsk());
  wait(2);
  sweepOverdue(desk, noon);
  expect(deliver()).toHaveLength(1);
  sweepOverdue(desk, noon);
  expect(deliver()).toHaveLength(2);
});

test("what nobody answers in time is denied: Claude is told why, the card and the audit say so", () => {
  const { desk, wait, hearNothing, deliver, written, requestState } = waiting({ expireMinutes: 5 });
  wait(4.9);
  hearNothing();
  sweepOverdue(desk, noon);
  expect(requestState()).toBe("waiting");
  wait(0.1);
  sweepOverdue(desk, noon);
  expect(requestState()).toBe("decided");
  expect(written()).toContain("Nobody answered within 5 minutes, so this was denied.");
  expect(deliver().at(-1)).toMatchObject({
    messageId: 1,
    text: expect.stringMatching(/^⌛ Denied: nobody answered within 5 minutes · \d\d:\d\d/),
  });
  expect(desk.store.audit.newest(1)).toMatchObject([
    { who: "expiry", what: "deny", tool: "Bash", rule: "expire_minutes: 5" },
  ]);
});

test("nothing expires before Telegram was heard: a tap made while we were away still counts", () => {
  const { wait, hearNothing, requestState, restart } = waiting({ expireMinutes: 5 });
  hearNothing();
  wait(6);
  const desk = restart();
  const startedAt = desk.clock();
  sweepOverdue(desk, startedAt);
  expect(requestState(desk)).toBe("waiting");
  desk.store.inbox.record([{ updateId: 1, body: "{}" }], desk.clock());
  sweepOverdue(desk, startedAt);
  expect(requestState(desk)).toBe("waiting");
  desk.store.inbox.finish(1, desk.clock());
  sweepOverdue(desk, startedAt);
  expect(requestState(desk)).toBe("decided");
});

test("nothing expires while Telegram is out of reach", () => {
  const { desk, wait, hearNothing, requestState } = waiting({ expireMinutes: 5 });
  wait(1);
  hearNothing();
  wait(30);
  sweepOverdue(desk, noon);
  expect(requestState()).toBe("waiting");
});

test("what Claude withdrew neither expires nor is it reminded of", () => {
  const { desk, wait, hearNothing, deliver, processId, requestState } = waiting({
    remindMinutes: 1,
    expireMinutes: 5,
  });
  withdrawRequest(desk, processId, "wire-1");
  wait(6);
  hearNothing();
  sweepOverdue(desk, noon);
  expect(requestState()).toBe("withdrawn");
  expect(deliver().filter(({ text }) => text.includes("still waits"))).toEqual([]);
});
