import { denial } from "../core/denial.ts";
import { startsWithSlash } from "../core/prompt-text.ts";
import type { Thread } from "../store/threads.ts";
import type { Person } from "../telegram/intent.ts";
import { awaitReply } from "./answers.ts";
import { decide } from "./approvals.ts";
import { whyNotApprover } from "./approvers.ts";
import type { Desk } from "./desk.ts";
import { notify } from "./notify.ts";
import { denyPlan } from "./plans.ts";

/**
 * A reply to a card that waits says no, and why; a model that is told why does not have to guess. False when the text is
 * still to go its own way: it replied to no such card, or to a question, which then awaits it as its answer.
 */
export function answerByReply(
  desk: Desk,
  thread: Thread,
  by: Person,
  messageId: number,
  text: string,
): boolean {
  const card = desk.store.cards.byMessage(thread.id, messageId);
  const request = card && desk.store.requests.byCard(card.id);
  if (request?.state !== "waiting") return false;
  const refused = whyNotApprover(desk, thread, by);
  if (refused !== undefined) {
    notify(desk, thread.id, { tone: "info", text: `${refused} This message was not used.` });
    return true;
  }
  if (request.detail.kind === "question") {
    if (awaitReply(desk, request, by)) return false;
    notify(desk, thread.id, {
      tone: "info",
      text: "Everything is answered: tap Send answers, or Back to change one. This message was not used.",
    });
    return true;
  }
  if (startsWithSlash(text)) return false;
  switch (request.detail.kind) {
    case "plan":
      return denyPlan(desk, request, by, text);
    case "tool":
      return decide(desk, request, by, {
        outcome: { kind: "denied", by: by.name, at: desk.clock(), reason: text },
        what: "deny",
        answer: { kind: "deny", message: denial(`They say: ${text}`) },
      });
  }
}
