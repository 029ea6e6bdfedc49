import { denial } from "../core/denial.ts";
import type { ThreadId } from "../core/ids.ts";
import { answeredInput, type FormStep, submitChoices, tapOption, typeAnswer } from "../core/question.ts";
import type { Request } from "../store/requests.ts";
import type { Person } from "../telegram/intent.ts";
import { decide } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import { refreshRequest } from "./requests.ts";

/** What a tap on a question did, in the words of its toast. */
export type QuestionTap = { toast: string };

/** A tap on an option. */
export function tapQuestionOption(
  desk: Desk,
  request: Request,
  by: Person,
  at: { position: number; option: number },
): QuestionTap {
  return step(desk, request, by, (form) => tapOption(form, at.position, at.option));
}

/** Submit of a multiple choice. */
export function submitQuestion(desk: Desk, request: Request, by: Person, position: number): QuestionTap {
  return step(desk, request, by, (form) => submitChoices(form, position));
}

/** The person does not want to answer; Claude is told so and goes on. */
export function skipQuestion(desk: Desk, request: Request, by: Person): boolean {
  return decide(desk, request, by, {
    outcome: { kind: "denied", by: by.name, at: desk.clock(), reason: "skipped" },
    what: "deny",
    answer: {
      kind: "deny",
      message: denial(
        "They chose not to answer. Go on with your own best judgement, and say what you assumed.",
      ),
    },
  });
}

/** A text in a thread where a question waits is its answer; false when none waits. */
export function typeQuestionAnswer(desk: Desk, threadId: ThreadId, text: string, by: Person): boolean {
  const request = desk.store.requests.waitingIn(threadId).find(({ detail }) => detail.kind === "question");
  if (request === undefined) return false;
  step(desk, request, by, (form) => typeAnswer(form, text));
  return true;
}

function step(
  desk: Desk,
  request: Request,
  by: Person,
  move: (form: (Request["detail"] & { kind: "question" })["form"]) => FormStep,
): QuestionTap {
  if (request.detail.kind !== "question") return { toast: "This is not a question." };
  const next = move(request.detail.form);
  switch (next.kind) {
    case "refused":
      return { toast: next.why };
    case "next":
      desk.store.requests.setDetail(request.id, { kind: "question", form: next.form });
      refreshRequest(desk, request.id);
      return { toast: "" };
    case "complete": {
      // The filled form is kept first, so that the card can list the answers when it ends.
      desk.store.requests.setDetail(request.id, { kind: "question", form: next.form });
      const decided = decide(desk, request, by, {
        outcome: { kind: "answered", by: by.name, at: desk.clock() },
        what: "answer",
        answer: { kind: "allow", input: answeredInput(request.ask.input, next.form) },
      });
      return { toast: decided ? "Answered" : "That question is over." };
    }
  }
}
