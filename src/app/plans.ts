import type { Ask } from "../core/agent-event.ts";
import { denial } from "../core/denial.ts";
import type { ProcessId, TurnId } from "../core/ids.ts";
import {
  DISCUSS_PLEASE,
  hasOutline,
  judgePlan,
  OUTLINE_PLEASE,
  openGate,
  pausePlan,
} from "../core/plan-gate.ts";
import type { PlanView } from "../core/view.ts";
import type { Work } from "../core/work.ts";
import type { Request } from "../store/requests.ts";
import type { Session } from "../store/sessions.ts";
import type { Person } from "../telegram/intent.ts";
import { answerAtOnce, closeUnanswered, decide, waitForPerson } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import { changeMode, modeWithoutPlan } from "./modes.ts";
import { shortId } from "./new-id.ts";
import { addPrompt, queuePrompt } from "./prompt-queue.ts";
import { isOutlineOnly, OUTLINE_ONLY } from "./requests.ts";

/** ExitPlanMode: asked of the person, sent back for the outline, or approved at once where /planmode says auto. */
export function takePlan(desk: Desk, session: Session, processId: ProcessId, ask: Ask, work: Work): void {
  const thread = desk.store.threads.get(session.threadId);
  const plan = planText(ask, work);
  if (thread.planMode === "auto") {
    answerAtOnce(desk, session, processId, ask, { kind: "allow", input: ask.input }, "planmode auto");
    showAsRead(desk, session, plan);
    return;
  }
  const verdict = judgePlan(thread.gate, plan ?? "", desk.clock());
  desk.store.threads.setGate(thread.id, verdict.gate);
  if (verdict.kind === "deny") {
    answerAtOnce(
      desk,
      session,
      processId,
      ask,
      { kind: "deny", message: verdict.message },
      "plan gate: no outline yet",
    );
    return;
  }
  waitForPerson(desk, session, processId, ask, {
    kind: "plan",
    ...(plan === undefined ? {} : { plan }),
    ...(verdict.stage === "outlined" && thread.gate.outline !== "" ? { outline: thread.gate.outline } : {}),
    stage: verdict.stage,
  });
}

/** A turn that ended with the outline but without ExitPlanMode gets the same card; true when it was shown. */
export function offerOutline(desk: Desk, session: Session, processId: ProcessId, turnId: TurnId): boolean {
  const { gate } = desk.store.threads.get(session.threadId);
  if (session.mode !== "plan") return false;
  if (
    !hasOutline(gate, "") ||
    desk.store.requests.waitingOf(processId).some((one) => one.detail.kind === "plan")
  )
    return false;
  const ask: Ask = {
    wireId: `${OUTLINE_ONLY}${turnId}`,
    tool: "ExitPlanMode",
    input: {},
    suggestions: [],
    needsPerson: true,
    matchedAskRule: false,
    noAlways: true,
    defaultToNo: false,
  };
  waitForPerson(desk, session, processId, ask, { kind: "plan", outline: gate.outline, stage: "outlined" });
  return true;
}

/** Approve; with "accept edits", file changes are not asked about for the rest of the session. */
export function approvePlan(
  desk: Desk,
  request: Request,
  by: Person,
  then: "ask" | "accept edits" = "ask",
): boolean {
  const permissions = then === "ask" ? {} : { permissions: [ACCEPT_EDITS] };
  const decided = answerPlan(desk, request, by, {
    outcome: { kind: "allowed", by: by.name, at: desk.clock() },
    what: "allow",
    answer: { kind: "allow", input: request.ask.input, ...permissions },
    ...(then === "ask" ? {} : { rule: "accept edits (session)" }),
  });
  if (!decided) return false;
  desk.store.threads.setGate(request.threadId, openGate);
  if (isOutlineOnly(request)) {
    changeMode(desk, request.sessionId, then === "ask" ? modeWithoutPlan(desk.config) : "acceptEdits");
    say(desk, request.threadId, by, "The plan is approved. Go ahead.");
  }
  return true;
}

const ACCEPT_EDITS = { type: "setMode", mode: "acceptEdits", destination: "session" };

/** Deny; with words, they are the change that is wanted. */
export function denyPlan(desk: Desk, request: Request, by: Person, wanted?: string): boolean {
  const reason = wanted === undefined ? {} : { reason: wanted };
  const message = wanted === undefined ? PLAN_DENIED : `${PLAN_CHANGE} ${wanted}`;
  const decided = answerPlan(desk, request, by, {
    outcome: { kind: "denied", by: by.name, at: desk.clock(), ...reason },
    what: "deny",
    answer: { kind: "deny", message },
  });
  if (!decided) return false;
  desk.store.threads.setGate(request.threadId, openGate);
  if (isOutlineOnly(request) && wanted !== undefined) say(desk, request.threadId, by, message);
  return true;
}

/** Pause & Outline Plan: Claude is asked for the outline, and the next plan without one has to wait longer. */
export function pauseForOutline(desk: Desk, request: Request, by: Person): boolean {
  const outcome = { kind: "paused", by: by.name, at: desk.clock() } as const;
  if (
    !answerPlan(desk, request, by, {
      outcome,
      what: "pause",
      answer: { kind: "deny", message: OUTLINE_PLEASE },
    })
  )
    return false;
  const { gate } = desk.store.threads.get(request.threadId);
  const plan = request.detail.kind === "plan" ? (request.detail.plan ?? "") : "";
  desk.store.threads.setGate(request.threadId, pausePlan(gate, plan, desk.clock()));
  return true;
}

/** Let's discuss: Claude talks the plan over. What it says from here is a new outline. */
export function discussPlan(desk: Desk, request: Request, by: Person): boolean {
  const outcome = { kind: "discussing", by: by.name, at: desk.clock() } as const;
  if (
    !answerPlan(desk, request, by, {
      outcome,
      what: "discuss",
      answer: { kind: "deny", message: DISCUSS_PLEASE },
    })
  )
    return false;
  const { gate } = desk.store.threads.get(request.threadId);
  desk.store.threads.setGate(request.threadId, { ...gate, outline: "" });
  if (isOutlineOnly(request)) say(desk, request.threadId, by, DISCUSS_PLEASE);
  return true;
}

/** The person wrote instead of answering: an outline that no request waits behind is over with that. */
export function closeOutline(desk: Desk, threadId: Request["threadId"]): void {
  for (const request of desk.store.requests.waitingIn(threadId)) {
    if (!isOutlineOnly(request)) continue;
    closeUnanswered(desk, request, { kind: "ended", at: desk.clock(), why: "you wrote instead" });
    // What Claude says next is another outline, not more of this one.
    const { gate } = desk.store.threads.get(threadId);
    desk.store.threads.setGate(threadId, { ...gate, outline: "" });
  }
}

const PLAN_DENIED = denial("Stay in plan mode, and ask what they want changed before you plan again.");

/** A prompt of ours, for a person who tapped a button. */
function say(desk: Desk, threadId: Request["threadId"], by: Person, text: string): void {
  queuePrompt(desk, addPrompt(desk, { threadId, by, text }));
}

const PLAN_CHANGE = denial("Stay in plan mode, and change the plan as they say:");

function answerPlan(
  desk: Desk,
  request: Request,
  by: Person,
  decided: Parameters<typeof decide>[3],
): boolean {
  const { answer: _unasked, ...unanswered } = decided;
  return decide(desk, request, by, isOutlineOnly(request) ? unanswered : decided);
}

/** Older and newer CLIs put the plan in different places. */
function planText(ask: Ask, work: Work): string | undefined {
  const asked = ask.input["plan"];
  const plans = work.turn?.plans ?? {};
  const passed =
    ask.toolUseId !== undefined && Object.hasOwn(plans, ask.toolUseId) ? plans[ask.toolUseId] : undefined;
  const found = [asked, passed, work.turn?.saying].find(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  return typeof found === "string" ? found : undefined;
}

function showAsRead(desk: Desk, session: Session, plan: string | undefined): void {
  const view: PlanView = {
    kind: "plan",
    requestId: shortId(),
    project: session.project,
    ...(plan === undefined ? {} : { plan }),
    stage: "read",
  };
  desk.present.show(session.threadId, view, { lane: "answer" });
}
