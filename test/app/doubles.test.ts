import { expect, test } from "vitest";
import { takeAsk } from "../../src/app/approvals.ts";
import { admitText } from "../../src/app/prompts.ts";
import { handleTap } from "../../src/app/taps.ts";
import { closeTurn, openTurn } from "../../src/app/turns.ts";
import type { Tap } from "../../src/core/view.ts";
import { noWork } from "../../src/core/work.ts";
import { aDesk } from "./a-desk.ts";

const ann = { id: 111, name: "Ann" };
const sessions = { end: () => {}, endWhenUnused: () => {}, workOf: () => undefined };

/** The number of a message that a send in doubt left in the chat, and that the bot knows nothing of. */
const DOUBLE = 500;

/** A desk, and Ann's finger on a message there. */
function tapping() {
  const stage = aDesk();
  const { desk, threadId } = stage;
  const tap = (what: Tap, messageId: number) =>
    handleTap(desk, sessions, { tap: what, thread: desk.store.threads.get(threadId), by: ann, messageId });
  const says = (messageId: number) => {
    stage.deliver();
    return stage.said().findLast((message) => message.messageId === messageId)?.text;
  };
  return { ...stage, tap, says };
}

test("a tap on the double of a request's card ends the double too", () => {
  const { desk, session, processId, nextAsk, deliver, tap, says } = tapping();
  takeAsk(desk, session(), processId, nextAsk());
  deliver();
  const [request] = desk.store.requests.waiting();
  if (request === undefined) throw new Error("There is no request");
  expect(tap({ verb: "deny", requestId: request.id }, 1)).toBe("Denied");
  expect(tap({ verb: "allow", requestId: request.id }, DOUBLE)).toBe("Already denied by Ann.");
  expect(says(DOUBLE)).toBe(says(1));
});

test("a tap on the double of a progress card ends it once the turn is over", () => {
  const { desk, session, deliver, tap, says } = tapping();
  const turn = openTurn(desk, session(), "prompt");
  deliver();
  closeTurn(desk, turn, "done", noWork);
  const ended = says(1);
  for (const messageId of [1, DOUBLE])
    expect(tap({ verb: "stop", turnId: turn.id }, messageId)).toBe("That turn is over.");
  expect(says(DOUBLE)).toContain("That turn is over.");
  expect(says(1)).toBe(ended);
});

test("a tap on the double of a held message's card ends it once the message was sent", () => {
  const { desk, session, processId, nextAsk, deliver, tap, says, threadId } = tapping();
  takeAsk(desk, session(), processId, nextAsk());
  const thread = desk.store.threads.get(threadId);
  admitText(desk, thread, ann, { text: "And this.", messageId: 90, mayContinue: false });
  deliver();
  const [held] = desk.store.prompts.inThread(threadId, "held");
  const [request] = desk.store.requests.waiting();
  if (held === undefined || request === undefined) throw new Error("Nothing is held");
  tap({ verb: "allow", requestId: request.id }, 1);
  const words = "That message is not waiting any more.";
  expect(tap({ verb: "denysend", promptId: held.id }, DOUBLE)).toBe(words);
  expect(says(DOUBLE)).toContain(words);
});
