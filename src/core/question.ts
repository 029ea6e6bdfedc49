import type { Json, JsonObject } from "./agent-event.ts";
import { isJsonObject, jsonList } from "./json.ts";

export type Option = { label: string; description?: string; preview?: string };
export type Question = { question: string; header?: string; multiple: boolean; options: Option[] };

/** What a person has said to one question so far. */
export type Entry = {
  /** The options that are ticked, by their index; one at most where only one may be chosen. */
  chosen: number[];
  /** The person's own words: beside the ticks of a multiple choice, in the place of a single one. */
  typed?: string;
  /** False while ticks are still being set. */
  answered: boolean;
};

/** Whether a message in the thread is an answer: any is welcome; Other was tapped and one is awaited; or that was taken back. */
export type OwnWords = "welcome" | "awaited" | "unwanted";

/** A half-filled form: one question is shown at a time, and all of them at the end. It is a row, so it survives a restart. */
export type Form = {
  questions: Question[];
  /** One for each question. */
  entries: Entry[];
  /** The question shown now; equal to the number of questions at the summary. */
  position: number;
  ownWords: OwnWords;
};

/** What a tap or a text does to a form; `said` and `why` are for the person. */
export type FormStep =
  | { kind: "next"; form: Form; said: string }
  | { kind: "complete"; form: Form }
  | { kind: "skipped" }
  | { kind: "refused"; why: string };

/** Reads AskUserQuestion's input; undefined when it has no question that could be shown. */
export function startForm(input: JsonObject): Form | undefined {
  const questions = jsonList(input["questions"]).flatMap(readQuestion);
  if (questions.length === 0) return undefined;
  const entries = questions.map((): Entry => ({ chosen: [], answered: false }));
  return { questions, entries, position: 0, ownWords: "welcome" };
}

/** A tap on an option: answers a single choice, ticks or unticks in a multiple one. */
export function tapOption(form: Form, position: number, option: number): FormStep {
  if (position !== form.position) return late(form, position);
  const { question, entry } = shown(form);
  if (question?.options[option] === undefined)
    return { kind: "refused", why: "That option is not there any more." };
  if (!question.multiple) return answer(form, { chosen: [option] });
  const ticked = entry.chosen.includes(option);
  const chosen = ticked ? entry.chosen.filter((other) => other !== option) : [...entry.chosen, option];
  return {
    kind: "next",
    form: replaceEntry(form, { ...entry, chosen, answered: false }),
    said: ticked ? "Unticked" : "Ticked",
  };
}

/** What is shown is right as it is: ticks are submitted, an earlier answer is kept, and the summary sends all of them. */
export function submitPage(form: Form, position: number): FormStep {
  if (position !== form.position) return late(form, position);
  if (position === form.questions.length) return { kind: "complete", form };
  const { entry } = shown(form);
  if (entry.chosen.length === 0 && entry.typed === undefined)
    return { kind: "refused", why: "Nothing is chosen yet. Tap at least one option, or write your own." };
  return answer(form, entry);
}

/** Back to the question before; what was said to both stays. */
export function goBack(form: Form, position: number): FormStep {
  if (position !== form.position) return late(form, position);
  if (position === 0) return { kind: "refused", why: "This is the first question." };
  return { kind: "next", form: { ...form, position: position - 1, ownWords: "welcome" }, said: "" };
}

/** A tap on Other: the next message is the answer. Where own words are ticked already, it unticks them. */
export function tapOther(form: Form, position: number): FormStep {
  if (position !== form.position || position === form.questions.length) return late(form, position);
  const { question, entry } = shown(form);
  if (question?.multiple === true && entry.typed !== undefined) {
    const without = replaceEntry(form, { chosen: entry.chosen, answered: false });
    return { kind: "next", form: without, said: "Unticked" };
  }
  return awaitWords(form);
}

/** The next message of the thread is the answer to the question shown. */
export function awaitWords(form: Form): FormStep {
  if (form.position === form.questions.length) return late(form, form.position);
  return { kind: "next", form: { ...form, ownWords: "awaited" }, said: "Send your answer as a message." };
}

/** A tap on Never mind: a message is no longer taken as the answer to this question. */
export function dropOther(form: Form, position: number): FormStep {
  if (position !== form.position || position === form.questions.length) return late(form, position);
  const said = "Messages are not taken as the answer now.";
  return { kind: "next", form: { ...form, ownWords: "unwanted" }, said };
}

/** The person does not want to answer, none of the questions. */
export function skipAll(form: Form, position: number): FormStep {
  return position === form.position ? { kind: "skipped" } : late(form, position);
}

/** An answer in the person's own words; in a multiple choice they join what is ticked. */
export function typeAnswer(form: Form, text: string): FormStep {
  const { question, entry } = shown(form);
  if (question === undefined) return late(form, form.position);
  return answer(form, { chosen: question.multiple ? entry.chosen : [], typed: text });
}

/** Another question of the thread awaits the next message: this one does so no longer. */
export function stopAwaiting(form: Form): Form {
  return form.ownWords === "awaited" ? { ...form, ownWords: "welcome" } : form;
}

/**
 * Which of the forms that wait in a thread, the oldest first, takes a message that names none of them: the one where
 * Other was tapped, else the oldest that shows a question and welcomes words.
 */
export function listening<Waiting extends { form: Form }>(waiting: readonly Waiting[]): Waiting | undefined {
  const open = waiting.filter(({ form }) => form.position < form.questions.length);
  return (
    open.find(({ form }) => form.ownWords === "awaited") ??
    open.find(({ form }) => form.ownWords === "welcome")
  );
}

/** The answer to a question as Claude reads it; undefined while there is none. */
export function answerTo(form: Form, index: number): string | undefined {
  const question = form.questions[index];
  const entry = form.entries[index];
  if (question === undefined || entry?.answered !== true) return undefined;
  const labels = question.options.flatMap((_, option) =>
    entry.chosen.includes(option) ? [nameOf(question, option)] : [],
  );
  return [...labels, ...(entry.typed === undefined ? [] : [entry.typed])].join(", ");
}

/** The input to hand back with the answers, keyed by the question's text as Claude expects it. */
export function answeredInput(input: JsonObject, form: Form): JsonObject {
  const given = new Map<string, string[]>();
  for (const [index, { question }] of form.questions.entries()) {
    const text = answerTo(form, index);
    if (text !== undefined) given.set(question, [...(given.get(question) ?? []), text]);
  }
  // Made from entries, because a question may be named like a property that every object is born with.
  const answers: JsonObject = Object.fromEntries([...given].map(([key, texts]) => [key, together(texts)]));
  return { ...input, answers };
}

/** Claude looks an answer up by the question's text, so questions of the same text share one, and it holds them all. */
function together(texts: readonly string[]): string {
  return texts.length === 1 ? texts.join() : texts.map((text, index) => `${index + 1}. ${text}`).join("; ");
}

/** A label that stands there twice says nothing without its place. */
function nameOf({ options }: Question, option: number): string {
  const label = options[option]?.label ?? "";
  const isTwice = options.some((other, index) => index !== option && other.label === label);
  return isTwice ? `${label} (option ${option + 1})` : label;
}

/** The question is answered; the next one without an answer is shown, or all of them once there is none. */
function answer(form: Form, given: Omit<Entry, "answered">): FormStep {
  const filled = replaceEntry(form, { ...given, answered: true });
  const open = filled.entries.findIndex((entry) => !entry.answered);
  const position = open === -1 ? form.questions.length : open;
  const next: Form = { ...filled, position, ownWords: "welcome" };
  // A single question needs no summary: its answer was the last word.
  return form.questions.length === 1
    ? { kind: "complete", form: next }
    : { kind: "next", form: next, said: "" };
}

function replaceEntry(form: Form, entry: Entry): Form {
  return { ...form, entries: form.entries.with(form.position, entry) };
}

function shown(form: Form): { question: Question | undefined; entry: Entry } {
  const entry = form.entries[form.position] ?? { chosen: [], answered: false };
  return { question: form.questions[form.position], entry };
}

/** A tap on a page that is not shown any more. */
function late(form: Form, position: number): FormStep {
  const why =
    position > form.position
      ? "You went back: the card shows an earlier question now."
      : "That question is answered already.";
  return { kind: "refused", why };
}

function readQuestion(value: Json): Question[] {
  if (!isJsonObject(value) || typeof value["question"] !== "string") return [];
  const header = value["header"];
  const options = jsonList(value["options"]).flatMap(readOption);
  return [
    {
      question: value["question"],
      ...(typeof header === "string" ? { header } : {}),
      // With nothing to tick there is nothing to submit.
      multiple: value["multiSelect"] === true && options.length > 0,
      options,
    },
  ];
}

/** Claude takes an empty answer for none, so every option has a name. */
function readOption(value: Json, index: number): Option[] {
  if (typeof value === "string") return readOption({ label: value }, index);
  if (!isJsonObject(value)) return [];
  const { label, description, preview } = value;
  return [
    {
      label: typeof label === "string" && label.trim() !== "" ? label : `Option ${index + 1}`,
      ...(typeof description === "string" ? { description } : {}),
      ...(typeof preview === "string" ? { preview } : {}),
    },
  ];
}
