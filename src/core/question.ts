import type { Json, JsonObject } from "./agent-event.ts";
import { isJsonObject, jsonList } from "./json.ts";

export type Option = { label: string; description?: string; preview?: string };
export type Question = { question: string; header?: string; multiple: boolean; options: Option[] };

/** A half-filled form: one question is shown at a time. It is a row, so it survives a restart. */
export type Form = {
  questions: Question[];
  /** The question shown now; equal to the number of questions once all are answered. */
  position: number;
  /** Options ticked in the question shown now. */
  chosen: number[];
  answers: string[];
};

export type FormStep =
  | { kind: "next"; form: Form }
  | { kind: "complete"; form: Form }
  | { kind: "refused"; why: string };

/** Reads AskUserQuestion's input; undefined when it has no question that could be shown. */
export function startForm(input: JsonObject): Form | undefined {
  const questions = jsonList(input["questions"]).flatMap(readQuestion);
  if (questions.length === 0) return undefined;
  return { questions, position: 0, chosen: [], answers: [] };
}

/** A tap on an option: answers a single choice, ticks or unticks in a multiple one. */
export function tapOption(form: Form, position: number, option: number): FormStep {
  const current = shown(form, position);
  if (current === undefined) return passed;
  const chosen = current.options[option];
  if (chosen === undefined) return { kind: "refused", why: "That option is not there any more." };
  if (!current.multiple) return answer(form, chosen.label);
  const ticked = form.chosen.includes(option)
    ? form.chosen.filter((other) => other !== option)
    : [...form.chosen, option];
  return { kind: "next", form: { ...form, chosen: ticked } };
}

/** Submit of a multiple choice. */
export function submitChoices(form: Form, position: number): FormStep {
  const current = shown(form, position);
  if (current === undefined) return passed;
  if (form.chosen.length === 0)
    return { kind: "refused", why: "Nothing is chosen yet. Tap at least one option, or type an answer." };
  const labels = current.options
    .filter((_, index) => form.chosen.includes(index))
    .map((option) => option.label);
  return answer(form, labels.join(", "));
}

/** An answer in the person's own words. */
export function typeAnswer(form: Form, text: string): FormStep {
  return form.position < form.questions.length ? answer(form, text) : passed;
}

/** The input to hand back with the answers, keyed by the question's text as Claude expects it. */
export function answeredInput(input: JsonObject, form: Form): JsonObject {
  // Made from entries, because a question may be named like a property that every object is born with.
  const answers: JsonObject = Object.fromEntries(
    form.questions.flatMap(({ question }, index) => {
      const given = form.answers[index];
      return given === undefined ? [] : [[question, given]];
    }),
  );
  return { ...input, answers };
}

const passed: FormStep = { kind: "refused", why: "That question is answered already." };

function answer(form: Form, text: string): FormStep {
  const next: Form = { ...form, position: form.position + 1, chosen: [], answers: [...form.answers, text] };
  return { kind: next.position === next.questions.length ? "complete" : "next", form: next };
}

function shown(form: Form, position: number): Question | undefined {
  return position === form.position ? form.questions[position] : undefined;
}

function readQuestion(value: Json): Question[] {
  if (!isJsonObject(value) || typeof value["question"] !== "string") return [];
  const header = value["header"];
  return [
    {
      question: value["question"],
      ...(typeof header === "string" ? { header } : {}),
      multiple: value["multiSelect"] === true,
      options: jsonList(value["options"]).flatMap(readOption),
    },
  ];
}

function readOption(value: Json): Option[] {
  if (!isJsonObject(value) || typeof value["label"] !== "string") return [];
  const { label, description, preview } = value;
  return [
    {
      label,
      ...(typeof description === "string" ? { description } : {}),
      ...(typeof preview === "string" ? { preview } : {}),
    },
  ];
}
