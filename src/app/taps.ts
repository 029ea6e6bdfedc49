import { alwaysOffer } from "../core/always.ts";
import { denial, inMinutes } from "../core/denial.ts";
import type { CardId, PromptId, RequestId, TurnId } from "../core/ids.ts";
import type { Tap } from "../core/view.ts";
import type { Request } from "../store/requests.ts";
import type { Thread } from "../store/threads.ts";
import type { Person } from "../telegram/intent.ts";
import { tapQuestion } from "./answers.ts";
import { allowRequest, denyRequest } from "./approvals.ts";
import { whyNotApprover } from "./approvers.ts";
import { chooseProject } from "./commands.ts";
import type { Desk } from "./desk.ts";
import { leaveSession } from "./leave-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { shortId } from "./new-id.ts";
import { tapEnable, tapPlanMode, tapTrust } from "./place-taps.ts";
import { approvePlan, denyPlan, discussPlan, pauseForOutline } from "./plans.ts";
import { blockingRequest } from "./prompt-queue.ts";
import { sendAgain } from "./prompts.ts";
import { refreshRequest, requestView, showAgain } from "./requests.ts";
import { sendFull, sendHidden } from "./show-more.ts";
import { stopTurn } from "./stopped-turn.ts";
import { sessionOf } from "./thread-session.ts";

/** A tap by a person who may, on a card of this thread. */
export type TapAt = { tap: Tap; thread: Thread; by: Person; messageId: number };

/** Does what a button says, and gives the words of the toast: always the true outcome. Nothing here waits. */
export function handleTap(desk: Desk, sessions: LiveSessions, at: TapAt): string {
  const { tap, thread, by } = at;
  switch (tap.verb) {
    case "allow":
    case "confirm":
    case "deny":
    case "always":
    case "back":
      return onRequest(desk, at, tap.requestId, "tool", (request) => answerTool(desk, request, by, tap.verb));
    case "approve":
      return onRequest(
        desk,
        at,
        tap.requestId,
        "plan",
        (request) => approvePlan(desk, request, by) && "Approved",
      );
    case "approveedits":
      return onRequest(
        desk,
        at,
        tap.requestId,
        "plan",
        (request) => approvePlan(desk, request, by, "accept edits") && "Approved, edits accepted",
      );
    case "refuse":
      return onRequest(desk, at, tap.requestId, "plan", (request) => denyPlan(desk, request, by) && "Denied");
    case "pause":
      return onRequest(
        desk,
        at,
        tap.requestId,
        "plan",
        (request) => pauseForOutline(desk, request, by) && "Outlining plan…",
      );
    case "discuss":
      return onRequest(
        desk,
        at,
        tap.requestId,
        "plan",
        (request) => discussPlan(desk, request, by) && "Let's discuss",
      );
    case "option":
    case "submit":
    case "skip":
    case "other":
    case "nevermind":
    case "earlier":
      return onRequest(desk, at, tap.requestId, "question", (request) => tapQuestion(desk, request, by, tap));
    case "full":
      return sendFull(desk, at, tap.requestId);
    case "reveal":
      return sendHidden(desk, at, tap.requestId);
    case "show":
      return showWaiting(desk, at, tap.requestId);
    case "stop":
      return stopTapped(desk, at, tap.turnId);
    case "denysend":
      return denyAndSend(desk, at, tap.promptId);
    case "retry":
      return repeat(desk, at, tap.promptId);
    case "fresh":
      return repeat(desk, at, tap.promptId, () => {
        const session = sessionOf(desk, thread.id);
        if (session !== undefined) leaveSession(desk, sessions, session);
      });
    case "project":
      return chooseProject(desk, sessions, thread, tap.name);
    case "planmode":
      return tapPlanMode(desk, at, tap.setting);
    case "trust":
    case "distrust":
      return tapTrust(desk, sessions, at, tap);
    case "enable":
      return tapEnable(desk, at);
  }
}

/** Looks a request up for a tap. A tap counts only from the request's own chat, and only on a request that waits. */
function onRequest(
  desk: Desk,
  at: TapAt,
  requestId: RequestId,
  kind: Request["detail"]["kind"],
  act: (request: Request) => string | false,
): string {
  const request = desk.store.requests.get(requestId);
  if (request === undefined) return "I do not know this request any more.";
  if (desk.store.threads.get(request.threadId).chatId !== at.thread.chatId)
    return "This request belongs to another chat.";
  const refused = request.state === "waiting" ? whyNotApprover(desk, at.thread, at.by) : undefined;
  if (refused !== undefined) return refused;
  if (request.state === "waiting" && request.detail.kind !== kind)
    return "This button does not fit the request.";
  const done = request.state === "waiting" && act(request);
  const current = desk.store.requests.get(requestId) ?? request;
  if (current.state !== "waiting") closeStrayCard(desk, at, current);
  return done === false ? whatHappened(current) : done;
}

function answerTool(
  desk: Desk,
  request: Request,
  by: Person,
  verb: "allow" | "confirm" | "deny" | "always" | "back",
): string | false {
  const care = request.ask.defaultToNo;
  switch (verb) {
    case "deny":
      return denyRequest(desk, request, by) && "Denied";
    case "back":
      return arm(desk, request, false, "Still waiting");
    case "allow":
      // What Claude itself would rather have refused takes a second, deliberate tap.
      return care
        ? arm(desk, request, true, "Tap once more to allow it")
        : allowRequest(desk, request, by, "once") && "Allowed";
    case "confirm":
      return allowRequest(desk, request, by, "once") && "Allowed";
    case "always":
      return care
        ? arm(desk, request, true, "Tap once more to allow it")
        : allowRequest(desk, request, by, "always") &&
            (alwaysOffer(request.ask) === undefined ? "Allowed" : "Always allowed");
  }
}

function arm(desk: Desk, request: Request, armed: boolean, toast: string): string {
  if (request.detail.kind === "tool") desk.store.requests.setDetail(request.id, { ...request.detail, armed });
  refreshRequest(desk, request.id);
  return toast;
}

function whatHappened(request: Request): string {
  const { outcome } = request;
  switch (outcome?.kind) {
    case "allowed":
      return `Already allowed by ${outcome.by}.`;
    case "denied":
      return `Already denied by ${outcome.by}.`;
    case "answered":
      return `Already answered by ${outcome.by}.`;
    case "paused":
    case "discussing":
      return `Already sent back by ${outcome.by}.`;
    case "expired":
      return `Too late: nobody answered within ${inMinutes(outcome.minutes)}, so it was denied.`;
    case "withdrawn":
      return "Claude no longer needs this.";
    case "ended":
      return `Too late: ${outcome.why}.`;
    case "moved":
    case undefined:
      return "This is over.";
  }
}

/** A send that was repeated in doubt leaves a second message with live buttons; a tap on it ends it too. */
function closeStrayCard(desk: Desk, at: TapAt, request: Request): void {
  if (request.cardId === undefined) return;
  const card = desk.store.cards.get(request.cardId);
  if (card?.messageId === at.messageId) {
    refreshRequest(desk, request.id);
    return;
  }
  const known = desk.store.cards.byMessage(request.threadId, at.messageId);
  const stray = known?.id ?? shortId<CardId>();
  if (known === undefined)
    desk.store.cards.adopt({ id: stray, threadId: request.threadId, messageId: at.messageId }, desk.clock());
  desk.present.refresh(stray, requestView(desk, request), "request");
}

/** The same for a card that stood for no request: nothing else would ever end it. */
function closeStray(desk: Desk, { thread, messageId }: TapAt, text: string): string {
  if (desk.store.cards.byMessage(thread.id, messageId) !== undefined) return text;
  const stray = shortId<CardId>();
  desk.store.cards.adopt({ id: stray, threadId: thread.id, messageId }, desk.clock());
  desk.present.refresh(stray, { kind: "notice", tone: "info", text }, "request");
  return text;
}

/** From /pending: the card comes again at the bottom of its own chat. */
function showWaiting(desk: Desk, at: TapAt, requestId: RequestId): string {
  const request = desk.store.requests.get(requestId);
  if (request === undefined) return "I do not know this request any more.";
  if (request.state !== "waiting") return whatHappened(request);
  showAgain(desk, request);
  return request.threadId === at.thread.id ? "Here it is" : "Sent again in its own chat";
}

function denyAndSend(desk: Desk, at: TapAt, promptId: PromptId): string {
  const { thread, by } = at;
  const prompt = desk.store.prompts.get(promptId);
  if (prompt?.threadId !== thread.id || prompt.state !== "held")
    return closeStray(desk, at, "That message is not waiting any more.");
  const refused = whyNotApprover(desk, thread, by);
  if (refused !== undefined) return refused;
  const message = denial("They wrote a message instead. Read it next.");
  for (
    let request = blockingRequest(desk, thread.id);
    request !== undefined;
    request = blockingRequest(desk, thread.id)
  ) {
    const isPlan = request.detail.kind === "plan";
    if (!(isPlan ? denyPlan(desk, request, by, message) : denyRequest(desk, request, by, message))) break;
  }
  return "Denied, and sent";
}

function stopTapped(desk: Desk, at: TapAt, turnId: TurnId): string {
  const { thread, by } = at;
  const turn = desk.store.turns.get(turnId);
  if (turn?.threadId !== thread.id || turn.state !== "open")
    return closeStray(desk, at, "That turn is over.");
  if (turn.sessionId !== thread.sessionId) return "That conversation is over.";
  return stopTurn(desk, thread.id, by).stopping ? "Stopping…" : "Nothing is running here.";
}

/** Sends a lost prompt again, and with it all that were lost in the same process. */
function repeat(desk: Desk, { thread, by }: TapAt, promptId: PromptId, leave = (): void => {}): string {
  const prompt = desk.store.prompts.get(promptId);
  if (prompt === undefined || prompt.threadId !== thread.id) return "I do not know that message any more.";
  if (prompt.state !== "lost" && prompt.state !== "done") return "That message is on its way already.";
  if (prompt.sessionId !== undefined && prompt.sessionId !== thread.sessionId)
    return "That was in another conversation. Write it again if you want it here.";
  const others = prompt.processId === undefined ? [] : desk.store.prompts.ofProcess(prompt.processId, "lost");
  const lost = [prompt, ...others.filter(({ id }) => id !== prompt.id)];
  // The button works once: a second tap must not do the work twice.
  for (const { id } of lost) desk.store.prompts.move(id, "cancelled");
  leave();
  for (const one of lost) sendAgain(desk, one, by);
  return lost.length > 1 ? `Sending ${lost.length} messages again` : "Sending it again";
}
