import { denial } from "../core/denial.ts";
import type { ThreadId } from "../core/ids.ts";
import {
  answeredInput,
  awaitWords,
  dropOther,
  type Form,
  type FormStep,
  goBack,
  listening,
  skipAll,
  stopAwaiting,
  submitPage,
  tapOption,
  tapOther,
  typeAnswer,
} from "../core/question.ts";
import type { Tap } from "../core/view.ts";
import type { Request } from "../store/requests.ts";
import { isSlashCommand } from "../telegram/command-text.ts";
import type { Person } from "../telegram/intent.ts";
import { decide } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import { refreshQuestions, waitingQuestions } from "./requests.ts";

/** A button of a question's card. */
export type QuestionTap = Extract<Tap, { verb: "option" | PageVerb }>;
type PageVerb = "submit" | "skip" | "other" | "nevermind" | "earlier";

/** Does what a button of a question says, and gives the words of its toast; false when the question was over before. */
export function tapQuestion(desk: Desk, request: Request, by: Person, tap: QuestionTap): string | false {
  if (request.detail.kind !== "question") return false;
  return take(desk, request, by, stepOf(request.detail.form, tap));
}

/**
 * A text that names no card is the answer to the question that listens in its thread; false when none does. A slash
 * command of Claude's is an answer only when words were asked for.
 */
export function typeQuestionAnswer(desk: Desk, threadId: ThreadId, text: string, by: Person): boolean {
  const found = listening(waitingQuestions(desk, threadId));
  if (found === undefined) return false;
  if (isSlashCommand(text) && found.form.ownWords !== "awaited") return false;
  take(desk, found.request, by, typeAnswer(found.form, text.trim()));
  return true;
}

/**
 * A reply to a question's card is for that question alone: it awaits the text, which may be the first piece of a paste and
 * then goes the way of every text. False when the card shows the summary, where there is nothing to write.
 */
export function awaitReply(desk: Desk, request: Request, by: Person): boolean {
  if (request.detail.kind !== "question") return false;
  const step = awaitWords(request.detail.form);
  take(desk, request, by, step);
  return step.kind === "next";
}

function stepOf(form: Form, tap: QuestionTap): FormStep {
  switch (tap.verb) {
    case "option":
      return tapOption(form, tap.position, tap.option);
    case "submit":
      return submitPage(form, tap.position);
    case "skip":
      return skipAll(form, tap.position);
    case "other":
      return tapOther(form, tap.position);
    case "nevermind":
      return dropOther(form, tap.position);
    case "earlier":
      return goBack(form, tap.position);
  }
}

function take(desk: Desk, request: Request, by: Person, step: FormStep): string | false {
  switch (step.kind) {
    case "refused":
      return step.why;
    case "next":
      if (step.form.ownWords === "awaited") awaitOnly(desk, request);
      keep(desk, request, step.form);
      refreshQuestions(desk, request.threadId);
      return step.said;
    case "skipped":
      return skip(desk, request, by) && "Skipped";
    case "complete":
      // The filled form is kept first, so that the card can list the answers when it ends.
      keep(desk, request, step.form);
      return send(desk, request, by, step.form) && "Answered";
  }
}

function send(desk: Desk, request: Request, by: Person, form: Form): boolean {
  return decide(desk, request, by, {
    outcome: { kind: "answered", by: by.name, at: desk.clock() },
    what: "answer",
    answer: { kind: "allow", input: answeredInput(request.ask.input, form) },
  });
}

/** Claude is told that there will be no answer, and goes on. */
function skip(desk: Desk, request: Request, by: Person): boolean {
  return decide(desk, request, by, {
    outcome: { kind: "denied", by: by.name, at: desk.clock() },
    what: "deny",
    answer: {
      kind: "deny",
      message: denial(
        "They chose not to answer. Go on with your own best judgement, and say what you assumed.",
      ),
    },
  });
}

/** One message cannot be awaited twice in a thread: the question that was asked for it last gets it. */
function awaitOnly(desk: Desk, asked: Request): void {
  for (const { request, form } of waitingQuestions(desk, asked.threadId)) {
    if (request.id !== asked.id && form.ownWords === "awaited") keep(desk, request, stopAwaiting(form));
  }
}

function keep(desk: Desk, request: Request, form: Form): void {
  desk.store.requests.setDetail(request.id, { kind: "question", form });
}
