import { unanswered } from "../core/denial.ts";
import { openGate } from "../core/plan-gate.ts";
import type { Request } from "../store/requests.ts";
import { type Decider, decide } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import { isOutlineOnly, requestTitle } from "./requests.ts";

const EXPIRY: Decider = { name: "expiry" };
const MINUTE_MS = 60_000;

/** Telegram answers a poll within 45 s, or it is out of reach. */
const HEARD_WITHIN_MS = 60_000;

/**
 * Reminds of requests that wait for long, once each, and denies those that nobody answered in time; both only where the
 * config asks for it. `startedAt` is when this bot began.
 */
export function sweepOverdue(desk: Desk, startedAt: number): void {
  const { remindMinutes, expireMinutes } = desk.config.approvals;
  const { requests } = desk.store;
  const now = desk.clock();
  if (expireMinutes !== undefined && hasHeard(desk, startedAt)) {
    for (const request of requests.waitingSince(now - expireMinutes * MINUTE_MS))
      desk.store.transaction(() => expire(desk, request, expireMinutes));
  }
  if (remindMinutes === undefined) return;
  for (const request of requests.unremindedSince(now - remindMinutes * MINUTE_MS))
    desk.store.transaction(() => remind(desk, request));
}

/** "Nobody answered" is true only if we could hear an answer: a tap made while we were away still comes, and counts. */
function hasHeard(desk: Desk, startedAt: number): boolean {
  const { inbox } = desk.store;
  const heardAt = inbox.lastPollAt() ?? Number.NEGATIVE_INFINITY;
  if (heardAt < startedAt || desk.clock() - heardAt > HEARD_WITHIN_MS) return false;
  return inbox.nextNew() === undefined;
}

function expire(desk: Desk, request: Request, minutes: number): void {
  // Claude waits for no answer to an outline alone.
  if (isOutlineOnly(request)) return;
  const isDenied = decide(desk, request, EXPIRY, {
    outcome: { kind: "expired", at: desk.clock(), minutes },
    what: "deny",
    answer: { kind: "deny", message: unanswered(minutes) },
    rule: `expire_minutes: ${minutes}`,
  });
  if (isDenied && request.detail.kind === "plan") desk.store.threads.setGate(request.threadId, openGate);
}

/** A new message, because an edited card makes no sound; it replies to the card, so that one tap leads there. */
function remind(desk: Desk, request: Request): void {
  const card = request.cardId && desk.store.cards.get(request.cardId);
  // A card that is still on its way will make its own sound.
  if (card?.messageId === undefined) return;
  desk.store.requests.reminded(request.id, desk.clock());
  desk.present.show(
    request.threadId,
    { kind: "notice", tone: "info", text: "This still waits for you:", code: requestTitle(desk, request) },
    { lane: "request", replyTo: card.messageId },
  );
}
