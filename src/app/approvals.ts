import { allow, deny } from "../claude/frames.ts";
import type { Ask, JsonObject } from "../core/agent-event.ts";
import { type AlwaysOffer, alwaysOffer } from "../core/always.ts";
import { denial } from "../core/denial.ts";
import type { ProcessId, RequestId } from "../core/ids.ts";
import { judge } from "../core/policy.ts";
import { startForm } from "../core/question.ts";
import type { Outcome } from "../core/view.ts";
import type { AuditEntry } from "../store/audit.ts";
import type { Request, RequestDetail } from "../store/requests.ts";
import type { Session } from "../store/sessions.ts";
import type { Person } from "../telegram/intent.ts";
import type { Desk } from "./desk.ts";
import { readPreview } from "./file-preview.ts";
import { shortId } from "./new-id.ts";
import { releaseHeld } from "./prompt-queue.ts";
import { lookAt, type Sight } from "./reach.ts";
import { refreshQuestions, refreshRequest, requestTitle, showRequest } from "./requests.ts";

/** What Claude is told. */
export type Answer =
  | { kind: "allow"; input: JsonObject; permissions?: JsonObject[] }
  | { kind: "deny"; message: string };

/** Who decides: a person, or something of ours that speaks in their name. */
export type Decider = { name: string; id?: number };

/** A tool that Claude asked for: answered by the policy, or shown to a person. Plans go through src/app/plans.ts. */
export function takeAsk(desk: Desk, session: Session, processId: ProcessId, ask: Ask): void {
  const project = desk.config.projects.get(session.project);
  const { approvals } = desk.config;
  const seen = lookAt(ask, project?.path ?? "/", ownPaths(desk));
  // Of a project that is not configured any more nothing is inside.
  const isNowhere = project === undefined && seen.reach === "inside";
  const sight: Sight = isNowhere ? { ...seen, reach: "outside" } : seen;
  const verdict = judge(ask, {
    autoApprove: new Set(approvals.autoApprove),
    rules: [...approvals.rules.own, ...(project?.rules.own ?? [])],
    ...sight,
  });
  switch (verdict.kind) {
    case "ask": {
      const detail = detailOf(ask, sight);
      if (verdict.because !== "no rule" || approvals.program === undefined)
        return waitForPerson(desk, session, processId, ask, detail);
      // The program is not waited for here: it gets the row once this transaction is through.
      return desk.wake.hook(addRequest(desk, session, processId, ask, detail).id);
    }
    case "allow":
      return answerAtOnce(desk, session, processId, ask, { kind: "allow", input: ask.input }, verdict.rule);
    case "deny":
      return answerAtOnce(
        desk,
        session,
        processId,
        ask,
        { kind: "deny", message: verdict.message },
        verdict.rule,
      );
  }
}

/** What is kept with the ask: the form of a question, or what the disk was like when the tool was asked for. */
function detailOf(ask: Ask, { reach, project }: Sight): RequestDetail {
  const form = ask.tool === "AskUserQuestion" ? startForm(ask.input) : undefined;
  if (form !== undefined) return { kind: "question", form };
  // Our own folders are closed to every session, and so to every card.
  const preview = reach === "own" ? undefined : readPreview(ask, project);
  return { kind: "tool", armed: false, reach, ...(preview === undefined ? {} : { preview }) };
}

/** The request becomes a row and a card, and waits. */
export function waitForPerson(
  desk: Desk,
  session: Session,
  processId: ProcessId,
  ask: Ask,
  detail: RequestDetail,
): void {
  showRequest(desk, addRequest(desk, session, processId, ask, detail));
  desk.wake.progress(session.id);
}

function addRequest(
  desk: Desk,
  session: Session,
  processId: ProcessId,
  ask: Ask,
  detail: RequestDetail,
): Request {
  const request = desk.store.requests.add(
    { id: shortId<RequestId>(), threadId: session.threadId, sessionId: session.id, processId, ask, detail },
    desk.clock(),
  );
  desk.registry.asked(request.id, session.id);
  return request;
}

/** An answer that needs no person; it is audited like any other. */
export function answerAtOnce(
  desk: Desk,
  session: Session,
  processId: ProcessId,
  ask: Ask,
  answer: Answer,
  rule: string,
): void {
  desk.store.processes.append(processId, frameOf(ask.wireId, answer));
  desk.store.audit.add({
    at: desk.clock(),
    who: "policy",
    what: answer.kind,
    tool: ask.tool,
    subject: requestTitle(desk, { ask, sessionId: session.id, detail: { kind: "tool", armed: false } }),
    rule,
    threadId: session.threadId,
    sessionId: session.id,
  });
  desk.wake.session(session.id);
}

/**
 * A decision. The row changes only while the request waits, and the answer is written in the same transaction:
 * false means that somebody, or Claude, was faster, and nothing has changed.
 */
export function decide(
  desk: Desk,
  request: Request,
  by: Decider,
  decided: { outcome: Outcome; what: AuditEntry["what"]; answer?: Answer; rule?: string },
): boolean {
  const { store, clock } = desk;
  if (!store.requests.close(request.id, "decided", decided.outcome, clock())) return false;
  if (decided.answer !== undefined) {
    store.processes.append(request.processId, frameOf(request.ask.wireId, decided.answer));
  }
  store.audit.add({
    at: clock(),
    who: by.name,
    ...(by.id === undefined ? {} : { whoId: by.id }),
    what: decided.what,
    tool: request.ask.tool,
    subject: requestTitle(desk, request),
    ...(decided.rule === undefined ? {} : { rule: decided.rule }),
    threadId: request.threadId,
    sessionId: request.sessionId,
    requestId: request.id,
  });
  afterwards(desk, request);
  return true;
}

/** Allow, once or with the rule that Claude suggested. */
export function allowRequest(desk: Desk, request: Request, by: Person, reach: "once" | "always"): boolean {
  const offer = reach === "always" ? alwaysOffer(request.ask) : undefined;
  const always = offer && { rule: offer.rules.join(", "), reach: offer.reach };
  const decided = decide(desk, request, by, {
    outcome: { kind: "allowed", by: by.name, at: desk.clock(), ...(always && { always }) },
    what: "allow",
    answer: { kind: "allow", input: request.ask.input, ...(offer && { permissions: offer.updates }) },
    ...(always && { rule: `${always.rule} (${always.reach})` }),
  });
  if (decided && offer !== undefined) keepRules(desk, request, by, offer);
  return decided;
}

/** Deny; the message is what Claude reads. */
export function denyRequest(desk: Desk, request: Request, by: Person, message = DENIED): boolean {
  return decide(desk, request, by, {
    outcome: { kind: "denied", by: by.name, at: desk.clock() },
    what: "deny",
    answer: { kind: "deny", message },
  });
}

/** Claude no longer needs the answer. */
export function withdrawRequest(desk: Desk, processId: ProcessId, wireId: string): void {
  const request = desk.store.requests.byWire(processId, wireId);
  if (request !== undefined) closeUnanswered(desk, request, { kind: "withdrawn", at: desk.clock() });
}

/** The process is gone, and with it every question it had. */
export function endRequests(desk: Desk, processId: ProcessId, why: string): void {
  for (const request of desk.store.requests.waitingOf(processId)) {
    closeUnanswered(desk, request, { kind: "ended", at: desk.clock(), why });
  }
}

export function closeUnanswered(
  desk: Desk,
  request: Request,
  outcome: Outcome & { kind: "withdrawn" | "ended" },
): void {
  if (!desk.store.requests.close(request.id, outcome.kind, outcome, desk.clock())) return;
  desk.store.audit.add({
    at: desk.clock(),
    who: "claude",
    what: outcome.kind,
    tool: request.ask.tool,
    subject: requestTitle(desk, request),
    threadId: request.threadId,
    sessionId: request.sessionId,
    requestId: request.id,
  });
  afterwards(desk, request);
}

/** What no session may read or change: our state, and the files that hold the token. */
export function ownPaths(desk: Pick<Desk, "config">): string[] {
  const { stateDir, file, telegram } = desk.config;
  return [stateDir, file, ...(telegram.tokenFile === undefined ? [] : [telegram.tokenFile])];
}

function keepRules(desk: Desk, request: Request, by: Person, offer: AlwaysOffer): void {
  const { project } = desk.store.sessions.get(request.sessionId);
  const folder = desk.config.projects.get(project)?.path;
  if (folder === undefined) return;
  for (const rule of offer.rules) {
    desk.store.rules.add(
      { folder, rule, reach: offer.reach, by: by.name, byId: by.id, sessionId: request.sessionId },
      desk.clock(),
    );
  }
}

const DENIED = denial("Do not try it again in another way; ask what they want instead.");

function afterwards(desk: Desk, request: Request): void {
  refreshRequest(desk, request.id);
  if (request.detail.kind === "question") refreshQuestions(desk, request.threadId);
  releaseHeld(desk, request.threadId);
  desk.wake.answer(request.id);
  desk.wake.session(request.sessionId);
  desk.wake.progress(request.sessionId);
}

function frameOf(wireId: string, answer: Answer): string {
  return answer.kind === "allow"
    ? allow({ wireId, input: answer.input, ...(answer.permissions && { permissions: answer.permissions }) })
    : deny({ wireId, message: answer.message });
}
