import { toolView } from "../claude/tools.ts";
import type { Ask } from "../core/agent-event.ts";
import { alwaysOffer } from "../core/always.ts";
import { dangersOf } from "../core/danger.ts";
import type { RequestId, ThreadId } from "../core/ids.ts";
import { maskSecrets } from "../core/mask.ts";
import { maskRequest } from "../core/mask-request.ts";
import { answerTo, type Form, listening, type Question } from "../core/question.ts";
import type {
  Outcome,
  PlanView,
  QuestionPage,
  QuestionView,
  RequestView,
  ToolView,
  View,
} from "../core/view.ts";
import type { Request, RequestDetail } from "../store/requests.ts";
import type { Desk } from "./desk.ts";

/** Shows a request on a card of its own, and remembers which. */
export function showRequest(desk: Desk, request: Request): void {
  const cardId = desk.present.show(request.threadId, requestView(desk, request), { lane: "request" });
  desk.store.requests.shownOn(request.id, cardId);
}

/** False while the owner's program thinks about a request: nobody is asked yet. */
export function isShown(request: Pick<Request, "cardId">): boolean {
  return request.cardId !== undefined;
}

/** Brings the card of a request up to date with its row. */
export function refreshRequest(desk: Desk, requestId: RequestId): void {
  const request = desk.store.requests.get(requestId);
  if (request?.cardId === undefined) return;
  desk.present.refresh(request.cardId, requestView(desk, request), "request");
}

/** The questions that wait in a thread, the oldest first. */
export function waitingQuestions(desk: Desk, threadId: ThreadId): { request: Request; form: Form }[] {
  return desk.store.requests
    .waitingIn(threadId)
    .flatMap((request) =>
      request.detail.kind === "question" ? [{ request, form: request.detail.form }] : [],
    );
}

/** Brings the cards of all questions of a thread up to date: what one does decides where messages go, and each card says that. */
export function refreshQuestions(desk: Desk, threadId: ThreadId): void {
  for (const { request } of waitingQuestions(desk, threadId)) refreshRequest(desk, request.id);
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
      return maskRequest(unmaskedView(desk, request, detail));
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
      return maskSecrets(request.detail.form.questions[0]?.question ?? "a question").text;
  }
}

/** A tool request with nothing hidden: for the one person who asks for it, never for a card. */
export function unmaskedView(
  desk: Desk,
  request: Request,
  detail: RequestDetail & { kind: "tool" },
): RequestView {
  const { ask } = request;
  const always = alwaysOffer(ask);
  const project = folderOf(desk, request);
  const tool = toolView(ask.tool, ask.input, project, detail.preview);
  const dangers = dangersOf(ask.tool, ask.input, { reach: detail.reach ?? "inside", project });
  const description = descriptionOf(ask, tool);
  return {
    kind: "request",
    requestId: request.id,
    tool,
    ...common(desk, request),
    ...(description === undefined ? {} : { description }),
    ...(ask.reason === undefined ? {} : { reason: ask.reason }),
    ...(always === undefined ? {} : { always: { rule: always.rules.join(", "), reach: always.reach } }),
    ...(ask.defaultToNo ? { care: detail.armed ? "armed" : "first" } : {}),
    ...(dangers.length === 0 ? {} : { dangers }),
  };
}

/** What a request is for, in words; for many tools Claude's description only says again what stands there already. */
function descriptionOf(ask: Ask, tool: ToolView): string | undefined {
  const own = ask.tool === "Bash" ? ask.input["description"] : undefined;
  const description = typeof own === "string" ? own : ask.description;
  const isSaid = description === tool.title || tool.body.some(({ text }) => text === description);
  return isSaid ? undefined : description;
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
  const current = form.questions[form.position];
  return {
    kind: "question",
    requestId: request.id,
    ...common(desk, request),
    count: form.questions.length,
    page: current === undefined ? { kind: "summary" } : questionPage(desk, request, form, current),
    answered: form.questions.flatMap(({ question }, index) => {
      const answer = index === form.position ? undefined : answerTo(form, index);
      return answer === undefined ? [] : [{ question, answer }];
    }),
  };
}

function questionPage(desk: Desk, request: Request, form: Form, current: Question): QuestionPage {
  const entry = form.entries[form.position];
  const listener = listening(waitingQuestions(desk, request.threadId));
  const isElsewhere = form.ownWords !== "unwanted" && listener?.request.id !== request.id;
  return {
    kind: "question",
    position: form.position,
    ...current,
    options: current.options.map((option, index) => ({
      ...option,
      chosen: entry?.chosen.includes(index) ?? false,
    })),
    ...(entry?.typed === undefined ? {} : { typed: entry.typed }),
    answered: entry?.answered ?? false,
    ownWords: isElsewhere ? "elsewhere" : form.ownWords,
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
