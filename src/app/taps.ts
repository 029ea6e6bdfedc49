import { denial } from "../core/denial.ts";
import type { CardId, PromptId, RequestId, TurnId } from "../core/ids.ts";
import type { Tap } from "../core/view.ts";
import type { Request } from "../store/requests.ts";
import type { Thread } from "../store/threads.ts";
import type { Person } from "../telegram/intent.ts";
import { skipQuestion, submitQuestion, tapQuestionOption } from "./answers.ts";
import { allowRequest, denyRequest } from "./approvals.ts";
import { chooseProject, type LiveSessions, planModeView, setPlanMode } from "./commands.ts";
import type { Desk } from "./desk.ts";
import { shortId } from "./new-id.ts";
import { notify } from "./notify.ts";
import { approvePlan, denyPlan, discussPlan, pauseForOutline } from "./plans.ts";
import { blockingRequest } from "./prompt-queue.ts";
import { sendAgain } from "./prompts.ts";
import { refreshRequest, requestView, showAgain } from "./requests.ts";
import { stopTurn } from "./stopped-turn.ts";
import { decideTrust } from "./trust.ts";

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
      return onRequest(
        desk,
        at,
        tap.requestId,
        "question",
        (request) => tapQuestionOption(desk, request, by, tap).toast,
      );
    case "submit":
      return onRequest(
        desk,
        at,
        tap.requestId,
        "question",
        (request) => submitQuestion(desk, request, by, tap.position).toast,
      );
    case "skip":
      return onRequest(
        desk,
        at,
        tap.requestId,
        "question",
        (request) => skipQuestion(desk, request, by) && "Skipped",
      );
    case "full":
      return sendFull(desk, at, tap.requestId);
    case "show":
      return showWaiting(desk, at, tap.requestId);
    case "stop":
      return stopTapped(desk, thread, by, tap.turnId);
    case "denysend":
      return denyAndSend(desk, thread, by, tap.promptId);
    case "retry":
      return repeat(desk, thread, by, tap.promptId);
    case "fresh":
      return repeat(desk, thread, by, tap.promptId, () => desk.store.threads.bind(thread.id, undefined));
    case "project":
      return chooseProject(desk, sessions, thread, tap.name);
    case "planmode":
      setPlanMode(desk, thread, tap.setting);
      refreshPlanMode(desk, at);
      return tap.setting === "clear" ? "Plan mode follows the config" : `Plan mode ${tap.setting}`;
    case "trust":
    case "distrust":
      return trust(desk, sessions, by, tap);
    case "enable":
      return enable(desk, thread, by);
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
        : allowRequest(desk, request, by, "always") && "Always allowed";
  }
}

function arm(desk: Desk, request: Request, armed: boolean, toast: string): string {
  desk.store.requests.setDetail(request.id, { kind: "tool", armed });
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
  const stray = shortId<CardId>();
  desk.store.cards.adopt({ id: stray, threadId: request.threadId, messageId: at.messageId }, desk.clock());
  desk.present.refresh(stray, requestView(desk, request), "request");
}

function sendFull(desk: Desk, at: TapAt, requestId: RequestId): string {
  const request = desk.store.requests.get(requestId);
  if (request === undefined) return "I do not know this request any more.";
  if (desk.store.threads.get(request.threadId).chatId !== at.thread.chatId)
    return "This request belongs to another chat.";
  return desk.present.sendWhole(request.threadId, requestView(desk, request))
    ? "Sending all of it…"
    : "The card shows all of it.";
}

/** From /pending: the card comes again at the bottom of its own chat. */
function showWaiting(desk: Desk, at: TapAt, requestId: RequestId): string {
  const request = desk.store.requests.get(requestId);
  if (request === undefined) return "I do not know this request any more.";
  if (request.state !== "waiting") return whatHappened(request);
  showAgain(desk, request);
  return request.threadId === at.thread.id ? "Here it is" : "Sent again in its own chat";
}

function denyAndSend(desk: Desk, thread: Thread, by: Person, promptId: PromptId): string {
  const prompt = desk.store.prompts.get(promptId);
  if (prompt?.threadId !== thread.id || prompt.state !== "held")
    return "That message is not waiting any more.";
  const message = denial("They wrote a message instead. Read it next.");
  for (
    let request = blockingRequest(desk, thread.id);
    request !== undefined;
    request = blockingRequest(desk, thread.id)
  ) {
    if (!denyRequest(desk, request, by, message)) break;
  }
  return "Denied, and sent";
}

function stopTapped(desk: Desk, thread: Thread, by: Person, turnId: TurnId): string {
  const turn = desk.store.turns.get(turnId);
  if (turn?.threadId !== thread.id || turn.state !== "open") return "That turn is over.";
  return stopTurn(desk, thread.id, by).stopping ? "Stopping…" : "Nothing is running here.";
}

function repeat(
  desk: Desk,
  thread: Thread,
  by: Person,
  promptId: PromptId,
  prepare = (): void => {},
): string {
  const prompt = desk.store.prompts.get(promptId);
  if (prompt === undefined || prompt.threadId !== thread.id) return "I do not know that message any more.";
  if (prompt.state !== "lost" && prompt.state !== "done") return "That message is on its way already.";
  // The button works once: a second tap must not do the work twice.
  desk.store.prompts.move(prompt.id, "cancelled");
  prepare();
  sendAgain(desk, prompt, by);
  return "Sending it again";
}

function refreshPlanMode(desk: Desk, at: TapAt): void {
  const card = desk.store.cards.byMessage(at.thread.id, at.messageId);
  if (card !== undefined) desk.present.refresh(card.id, planModeView(desk, at.thread.id), "request");
}

function trust(
  desk: Desk,
  sessions: LiveSessions,
  by: Person,
  tap: Tap & { verb: "trust" | "distrust" },
): string {
  const { toast, path } = decideTrust(desk, tap.trustId, by, tap.verb === "trust" ? "trusted" : "refused");
  if (path === undefined) return toast;
  // What it started without, it gets with its next start; so it starts anew as soon as nothing is lost by that.
  for (const process of desk.store.processes.live()) {
    const { project } = desk.store.sessions.get(process.sessionId);
    if (!process.trusted && desk.config.projects.get(project)?.path === path)
      sessions.endWhenUnused(process.sessionId);
  }
  return toast;
}

function enable(desk: Desk, thread: Thread, by: Person): string {
  desk.store.threads.enable(thread.id);
  desk.store.audit.add({ at: desk.clock(), who: by.name, whoId: by.id, what: "enable", threadId: thread.id });
  notify(desk, thread.id, { tone: "good", text: "Enabled. Write what Claude should do; /help says more." });
  return "Enabled";
}
