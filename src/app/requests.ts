import { toolView } from "../claude/tools.ts";
import { alwaysOffer } from "../core/always.ts";
import type { RequestId } from "../core/ids.ts";
import type { Form } from "../core/question.ts";
import type { Outcome, PlanView, QuestionView, RequestView, View } from "../core/view.ts";
import type { Request, RequestDetail } from "../store/requests.ts";
import type { Desk } from "./desk.ts";

/** Shows a request on a card of its own, and remembers which. */
export function showRequest(desk: Desk, request: Request): void {
  const cardId = desk.present.show(request.threadId, requestView(desk, request), { lane: "request" });
  desk.store.requests.shownOn(request.id, cardId);
}

/** Brings the card of a request up to date with its row. */
export function refreshRequest(desk: Desk, requestId: RequestId): void {
  const request = desk.store.requests.get(requestId);
  if (request?.cardId === undefined) return;
  desk.present.refresh(request.cardId, requestView(desk, request), "request");
}

/** Sends the card of a waiting request anew, at the bottom of the chat; the old one says where it went. */
export function showAgain(desk: Desk, request: Request): void {
  if (request.cardId !== undefined) {
    const moved: Outcome = { kind: "moved", at: desk.clock() };
    desk.present.refresh(request.cardId, requestView(desk, { ...request, outcome: moved }), "request");
  }
  showRequest(desk, request);
}

/** A request for the eye. */
export function requestView(desk: Desk, request: Request): View {
  const { detail } = request;
  switch (detail.kind) {
    case "tool":
      return toolRequestView(desk, request, detail);
    case "plan":
      return planView(desk, request, detail);
    case "question":
      return questionView(desk, request, detail.form);
  }
}

/** True for a card that stands on an outline alone: Claude waits for no answer to it. */
export function isOutlineOnly(request: Pick<Request, "ask">): boolean {
  return request.ask.wireId.startsWith(OUTLINE_ONLY);
}

/** The mark of a request that Claude never sent. */
export const OUTLINE_ONLY = "outline:";

/** One line about a request: for lists, for the audit, for "this comes after …". */
export function requestTitle(desk: Desk, request: Pick<Request, "ask" | "sessionId" | "detail">): string {
  switch (request.detail.kind) {
    case "tool": {
      const { name, title } = toolView(request.ask.tool, request.ask.input, folderOf(desk, request));
      return `${name} · ${title}`;
    }
    case "plan":
      return "the plan";
    case "question":
      return request.detail.form.questions[0]?.question ?? "a question";
  }
}

function toolRequestView(
  desk: Desk,
  request: Request,
  detail: RequestDetail & { kind: "tool" },
): RequestView {
  const { ask } = request;
  const always = alwaysOffer(ask);
  const tool = toolView(ask.tool, ask.input, folderOf(desk, request));
  // For many tools Claude's description only says the title again.
  const saysMore = ask.description !== undefined && ask.description !== tool.title;
  return {
    kind: "request",
    requestId: request.id,
    tool,
    ...common(desk, request),
    ...(saysMore ? { description: ask.description } : {}),
    ...(ask.reason === undefined ? {} : { reason: ask.reason }),
    ...(always === undefined ? {} : { always: { rule: always.rules.join(", "), reach: always.reach } }),
    ...(ask.defaultToNo ? { care: detail.armed ? "armed" : "first" } : {}),
  };
}

function planView(desk: Desk, request: Request, detail: RequestDetail & { kind: "plan" }): PlanView {
  return {
    kind: "plan",
    requestId: request.id,
    ...common(desk, request),
    ...(detail.plan === undefined ? {} : { plan: detail.plan }),
    ...(detail.outline === undefined ? {} : { outline: detail.outline }),
    stage: detail.stage,
  };
}

function questionView(desk: Desk, request: Request, form: Form): QuestionView {
  const shown = Math.min(form.position, form.questions.length - 1);
  const current = form.questions[shown];
  return {
    kind: "question",
    requestId: request.id,
    ...common(desk, request),
    position: shown,
    count: form.questions.length,
    ...(current?.header === undefined ? {} : { header: current.header }),
    question: current?.question ?? "",
    multiple: current?.multiple ?? false,
    options: (current?.options ?? []).map((option, index) => ({
      ...option,
      chosen: form.chosen.includes(index),
    })),
    answered: form.answers.map((answer, index) => ({
      question: form.questions[index]?.question ?? "",
      answer,
    })),
  };
}

function common(desk: Desk, request: Request): { project: string; agent?: string; outcome?: Outcome } {
  const { agentId, agentName } = request.ask;
  return {
    project: desk.store.sessions.get(request.sessionId).project,
    ...(agentId === undefined ? {} : { agent: agentName ?? agentId }),
    ...(request.outcome === undefined ? {} : { outcome: request.outcome }),
  };
}

function folderOf(desk: Desk, request: Pick<Request, "sessionId">): string {
  const { project } = desk.store.sessions.get(request.sessionId);
  return desk.config.projects.get(project)?.path ?? "/";
}
