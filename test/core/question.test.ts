import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/core/agent-event.ts";
import {
  answeredInput,
  type Form,
  type FormStep,
  startForm,
  submitChoices,
  tapOption,
  typeAnswer,
} from "../../src/core/question.ts";

const colour: JsonObject = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [{ label: "Red", description: "warm" }, { label: "Blue" }],
};
const fruits: JsonObject = {
  question: "Which fruits?",
  multiSelect: true,
  options: [{ label: "Apple" }, { label: "Pear" }, { label: "Plum", preview: "a small one" }],
};

function formOf(...questions: Json[]): Form {
  const form = startForm({ questions });
  if (form === undefined) throw new Error("There is no form.");
  return form;
}

function formAfter(step: FormStep): Form {
  if (step.kind === "refused") throw new Error(step.why);
  return step.form;
}

test("a form shows its first question with all that was said about it", () => {
  expect(formOf(colour, fruits)).toEqual({
    questions: [
      {
        question: "Which colour?",
        header: "Colour",
        multiple: false,
        options: [{ label: "Red", description: "warm" }, { label: "Blue" }],
      },
      {
        question: "Which fruits?",
        multiple: true,
        options: [{ label: "Apple" }, { label: "Pear" }, { label: "Plum", preview: "a small one" }],
      },
    ],
    position: 0,
    chosen: [],
    answers: [],
  });
});

test("a tap answers a single choice", () => {
  expect(tapOption(formOf(colour), 0, 1)).toMatchObject({
    kind: "complete",
    form: { position: 1, answers: ["Blue"] },
  });
});

test("the next question is shown after each answer, and nothing is ticked in it", () => {
  const ticked = formAfter(tapOption(formOf(fruits, colour), 0, 1));
  expect(submitChoices(ticked, 0)).toMatchObject({
    kind: "next",
    form: { position: 1, chosen: [], answers: ["Pear"] },
  });
});

test("a tap ticks an option of a multiple choice, and a second one unticks it", () => {
  const ticked = formAfter(tapOption(formOf(fruits), 0, 2));
  expect(ticked).toMatchObject({ position: 0, chosen: [2] });
  expect(tapOption(ticked, 0, 2)).toMatchObject({ kind: "next", form: { position: 0, chosen: [] } });
});

test("several choices are answered together, in the order of the options", () => {
  const last = formAfter(tapOption(formOf(fruits), 0, 2));
  const both = formAfter(tapOption(last, 0, 0));
  expect(submitChoices(both, 0)).toMatchObject({ kind: "complete", form: { answers: ["Apple, Plum"] } });
});

test("submitting without a choice is refused, with what to do instead", () => {
  expect(submitChoices(formOf(fruits), 0)).toEqual({
    kind: "refused",
    why: "Nothing is chosen yet. Tap at least one option, or type an answer.",
  });
  expect(submitChoices(formOf(colour), 0).kind).toBe("refused");
});

test("an answer may be typed instead, in both kinds of question", () => {
  expect(typeAnswer(formOf(colour), "Green, please")).toMatchObject({
    kind: "complete",
    form: { answers: ["Green, please"] },
  });
  const ticked = formAfter(tapOption(formOf(fruits, colour), 0, 0));
  expect(typeAnswer(ticked, "Figs")).toMatchObject({ kind: "next", form: { chosen: [], answers: ["Figs"] } });
});

test("a late tap on an earlier question changes nothing", () => {
  const second = formAfter(tapOption(formOf(colour, fruits), 0, 0));
  const passed = { kind: "refused", why: "That question is answered already." };
  expect(tapOption(second, 0, 1)).toEqual(passed);
  expect(submitChoices(second, 0)).toEqual(passed);
});

test("a form that is complete takes nothing any more", () => {
  const done = formAfter(tapOption(formOf(colour), 0, 0));
  expect(tapOption(done, 0, 1).kind).toBe("refused");
  expect(tapOption(done, 1, 0).kind).toBe("refused");
  expect(submitChoices(done, 1).kind).toBe("refused");
  expect(typeAnswer(done, "too late").kind).toBe("refused");
});

test.each([2, -1, 1.5, Number.NaN])("option %d of two is refused", (option) => {
  expect(tapOption(formOf(colour), 0, option)).toEqual({
    kind: "refused",
    why: "That option is not there any more.",
  });
});

test("no step changes the form that it was given", () => {
  const form = formOf(fruits, colour);
  const before = structuredClone(form);
  tapOption(form, 0, 0);
  submitChoices({ ...form, chosen: [0] }, 0);
  typeAnswer(form, "Figs");
  expect(form).toEqual(before);
});

test("the answers go back beside the input, under the questions' own texts", () => {
  const input = { questions: [colour, fruits], metadata: { source: "x" } };
  const first = formAfter(tapOption(formOf(colour, fruits), 0, 0));
  const done = formAfter(typeAnswer(first, "Figs"));
  expect(answeredInput(input, done)).toEqual({
    ...input,
    answers: { "Which colour?": "Red", "Which fruits?": "Figs" },
  });
});

test("a question named like a property that objects are born with is answered all the same", () => {
  const done = formAfter(typeAnswer(formOf({ question: "__proto__" }), "yes"));
  expect(JSON.stringify(answeredInput({}, done))).toBe('{"answers":{"__proto__":"yes"}}');
});

test.each<[string, JsonObject]>([
  ["nothing", {}],
  ["questions that are no list", { questions: "Which?" }],
  ["an empty list", { questions: [] }],
  ["questions without a text", { questions: [null, "Which?", 7, [], { question: 7 }, {}] }],
])("an input with %s is no form", (_what, input) => {
  expect(startForm(input)).toBeUndefined();
});

test("what cannot be read is left out, and the rest is asked", () => {
  const form = formOf(null, {
    question: "Which?",
    header: 7,
    multiSelect: "yes",
    options: ["Red", null, { label: 7 }, { label: "Blue", description: 7, preview: [] }],
  });
  expect(form.questions).toEqual([{ question: "Which?", multiple: false, options: [{ label: "Blue" }] }]);
});

test("a question without options can be answered by typing", () => {
  const form = formOf({ question: "What name?", options: "none" });
  expect(tapOption(form, 0, 0).kind).toBe("refused");
  expect(typeAnswer(form, "Signoff").kind).toBe("complete");
});
