import { denial } from "../core/denial.ts";
import { startsWithSlash } from "../core/prompt-text.ts";
import type { Thread } from "../store/threads.ts";
import type { Person } from "../telegram/intent.ts";
import { decide } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import { denyPlan } from "./plans.ts";

/** A reply to a card that waits says no, and why; a model that is told why does not have to guess. False: not such a card. */
export function answerByReply(
  desk: Desk,
  thread: Thread,
  by: Person,
  messageId: number,
  text: string,
): boolean {
  const card = desk.store.cards.byMessage(thread.id, messageId);
  const request = card && desk.store.requests.byCard(card.id);
  if (request?.state !== "waiting" || startsWithSlash(text)) return false;
  switch (request.detail.kind) {
    case "question":
      return false;
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
