import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/core/agent-event.ts";
import {
  answeredInput,
  answerTo,
  awaitWords,
  dropOther,
  type Form,
  type FormStep,
  goBack,
  listening,
  skipAll,
  startForm,
  stopAwaiting,
  submitPage,
  tapOption,
  tapOther,
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
const name: JsonObject = { question: "What name?", options: [{ label: "Ada" }, { label: "Bob" }] };

const answered = "That question is answered already.";

function formOf(...questions: Json[]): Form {
  const form = startForm({ questions });
  if (form === undefined) throw new Error("There is no form.");
  return form;
}

function formAfter(step: FormStep): Form {
  if (step.kind === "refused") throw new Error(step.why);
  if (step.kind === "skipped") throw new Error("All of it was skipped.");
  return step.form;
}

/** The form after some steps, each made from the one before. */
function walk(form: Form, ...steps: ((form: Form) => FormStep)[]): Form {
  return steps.reduce((current, step) => formAfter(step(current)), form);
}

function answersOf(form: Form): (string | undefined)[] {
  return form.questions.map((_, index) => answerTo(form, index));
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
    entries: [
      { chosen: [], answered: false },
      { chosen: [], answered: false },
    ],
    position: 0,
    ownWords: "welcome",
  });
});

test("one tap answers a form of one single choice", () => {
  const step = tapOption(formOf(colour), 0, 1);
  expect(step.kind).toBe("complete");
  expect(answersOf(formAfter(step))).toEqual(["Blue"]);
});

test("a tap ticks an option of a multiple choice, and a second one unticks it", () => {
  const ticked = tapOption(formOf(fruits), 0, 2);
  expect(ticked).toMatchObject({
    kind: "next",
    said: "Ticked",
    form: { position: 0, entries: [{ chosen: [2] }] },
  });
  expect(tapOption(formAfter(ticked), 0, 2)).toMatchObject({
    kind: "next",
    said: "Unticked",
    form: { position: 0, entries: [{ chosen: [] }] },
  });
});

test("several choices are answered together, in the order of the options", () => {
  const both = walk(
    formOf(fruits),
    (form) => tapOption(form, 0, 2),
    (form) => tapOption(form, 0, 0),
  );
  const step = submitPage(both, 0);
  expect(step.kind).toBe("complete");
  expect(answersOf(formAfter(step))).toEqual(["Apple, Plum"]);
});

test("submitting without a choice is refused, with what to do instead", () => {
  const nothing = {
    kind: "refused",
    why: "Nothing is chosen yet. Tap at least one option, or write your own.",
  };
  expect(submitPage(formOf(fruits), 0)).toEqual(nothing);
  expect(submitPage(formOf(colour), 0)).toEqual(nothing);
});

test("several questions are asked one after the other, and sent only from the summary", () => {
  const first = formAfter(tapOption(formOf(colour, fruits), 0, 0));
  expect(first).toMatchObject({
    position: 1,
    entries: [{ answered: true }, { chosen: [], answered: false }],
  });
  const last = walk(
    first,
    (form) => tapOption(form, 1, 1),
    (form) => submitPage(form, 1),
  );
  expect(last.position).toBe(2);
  const sent = submitPage(last, 2);
  expect(sent.kind).toBe("complete");
  expect(answersOf(formAfter(sent))).toEqual(["Red", "Pear"]);
});

test("Back shows the question before with its answer, and a new answer returns to where the form was", () => {
  const summary = walk(
    formOf(colour, fruits, name),
    (form) => tapOption(form, 0, 0),
    (form) => tapOption(form, 1, 0),
    (form) => submitPage(form, 1),
    (form) => typeAnswer(form, "Cleo"),
  );
  const first = walk(
    summary,
    (form) => goBack(form, 3),
    (form) => goBack(form, 2),
    (form) => goBack(form, 1),
  );
  expect(first).toMatchObject({ position: 0, entries: [{ chosen: [0], answered: true }, {}, {}] });
  const changed = formAfter(tapOption(first, 0, 1));
  expect(changed.position).toBe(3);
  expect(answersOf(changed)).toEqual(["Blue", "Apple", "Cleo"]);
  expect(goBack(first, 0)).toEqual({ kind: "refused", why: "This is the first question." });
});

test("an answer that the person came back to can be kept as it is", () => {
  const back = walk(
    formOf(colour, fruits),
    (form) => typeAnswer(form, "Green"),
    (form) => goBack(form, 1),
  );
  const kept = formAfter(submitPage(back, 0));
  expect(kept.position).toBe(1);
  expect(answersOf(kept)).toEqual(["Green", undefined]);
});

test("ticks that were changed after coming back count only once they are submitted", () => {
  const unticked = walk(
    formOf(fruits, colour),
    (form) => tapOption(form, 0, 0),
    (form) => submitPage(form, 0),
    (form) => goBack(form, 1),
    (form) => tapOption(form, 0, 0),
  );
  expect(answersOf(unticked)).toEqual([undefined, undefined]);
  expect(submitPage(unticked, 0).kind).toBe("refused");
});

test("Other awaits a message, and Never mind takes that back until the next question", () => {
  const awaiting = tapOther(formOf(colour, fruits), 0);
  expect(awaiting).toMatchObject({
    kind: "next",
    said: "Send your answer as a message.",
    form: { ownWords: "awaited" },
  });
  const dropped = formAfter(dropOther(formAfter(awaiting), 0));
  expect(dropped.ownWords).toBe("unwanted");
  expect(formAfter(tapOption(dropped, 0, 0)).ownWords).toBe("welcome");
});

test("own words take the place of a single choice, and an option takes theirs", () => {
  const typed = walk(
    formOf(colour, fruits),
    (form) => tapOption(form, 0, 0),
    (form) => goBack(form, 1),
    (form) => typeAnswer(form, "Green, please"),
  );
  expect(answersOf(typed)).toEqual(["Green, please", undefined]);
  const tapped = walk(
    typed,
    (form) => goBack(form, 1),
    (form) => tapOption(form, 0, 1),
  );
  expect(answersOf(tapped)).toEqual(["Blue", undefined]);
});

test("own words join what is ticked in a multiple choice, and can be unticked like an option", () => {
  const typed = walk(
    formOf(fruits, colour),
    (form) => tapOption(form, 0, 2),
    (form) => tapOption(form, 0, 0),
    (form) => typeAnswer(form, "my own words"),
  );
  expect(answersOf(typed)).toEqual(["Apple, Plum, my own words", undefined]);
  const back = formAfter(goBack(typed, 1));
  const without = tapOther(back, 0);
  expect(without).toMatchObject({ kind: "next", said: "Unticked", form: { ownWords: "welcome" } });
  expect(answersOf(formAfter(submitPage(formAfter(without), 0)))).toEqual(["Apple, Plum", undefined]);
  expect(awaitWords(back)).toMatchObject({ kind: "next", form: { ownWords: "awaited" } });
});

test("a late tap on an earlier question changes nothing and says why", () => {
  const second = formAfter(tapOption(formOf(colour, fruits), 0, 0));
  const refused = { kind: "refused", why: answered };
  expect(tapOption(second, 0, 1)).toEqual(refused);
  expect(submitPage(second, 0)).toEqual(refused);
  expect(skipAll(second, 0)).toEqual(refused);
  expect(tapOther(second, 0)).toEqual(refused);
  expect(dropOther(second, 0)).toEqual(refused);
  expect(goBack(second, 0)).toEqual(refused);
});

test("a second tap on Back does not go back twice", () => {
  const third = walk(
    formOf(colour, name, fruits),
    (form) => tapOption(form, 0, 0),
    (form) => tapOption(form, 1, 0),
  );
  const second = formAfter(goBack(third, 2));
  const refused = { kind: "refused", why: "You went back: the card shows an earlier question now." };
  expect(goBack(second, 2)).toEqual(refused);
  expect(tapOption(second, 2, 0)).toEqual(refused);
});

test("the summary takes no option, no text and no Other", () => {
  const summary = walk(
    formOf(colour, name),
    (form) => tapOption(form, 0, 0),
    (form) => tapOption(form, 1, 0),
  );
  expect(tapOption(summary, 2, 0).kind).toBe("refused");
  expect(typeAnswer(summary, "too late").kind).toBe("refused");
  expect(tapOther(summary, 2).kind).toBe("refused");
  expect(dropOther(summary, 2).kind).toBe("refused");
  expect(awaitWords(summary).kind).toBe("refused");
});

test("a form of one question that is complete takes nothing any more", () => {
  const done = formAfter(tapOption(formOf(colour), 0, 0));
  expect(tapOption(done, 0, 1)).toEqual({ kind: "refused", why: answered });
  expect(typeAnswer(done, "too late")).toEqual({ kind: "refused", why: answered });
});

test("all questions are skipped together, from whichever is shown", () => {
  const second = formAfter(tapOption(formOf(colour, fruits), 0, 0));
  expect(skipAll(second, 1)).toEqual({ kind: "skipped" });
});

test.each([2, -1, 1.5, Number.NaN])("option %d of two is refused", (option) => {
  expect(tapOption(formOf(colour), 0, option)).toEqual({
    kind: "refused",
    why: "That option is not there any more.",
  });
});

test("no step changes the form that it was given", () => {
  const form = walk(
    formOf(fruits, colour),
    (first) => tapOption(first, 0, 0),
    (first) => submitPage(first, 0),
    (second) => goBack(second, 1),
  );
  const before = structuredClone(form);
  tapOption(form, 0, 1);
  submitPage(form, 0);
  typeAnswer(form, "Figs");
  tapOther(form, 0);
  dropOther(form, 0);
  goBack(form, 0);
  expect(form).toEqual(before);
});

test("a form survives the way through a row at every step", () => {
  const stored = (form: Form): Form => JSON.parse(JSON.stringify(form));
  const form = walk(
    stored(formOf(fruits, colour)),
    (one) => tapOption(stored(one), 0, 1),
    (one) => typeAnswer(stored(one), "Figs"),
    (one) => tapOther(stored(one), 1),
    (one) => typeAnswer(stored(one), "Green"),
  );
  expect(stored(form)).toEqual(form);
  expect(answersOf(form)).toEqual(["Pear, Figs", "Green"]);
});

test("a message goes to the form that awaits it, else to the oldest that shows a question and wants words", () => {
  const oldest = { form: formOf(colour) };
  const younger = { form: formOf(fruits) };
  const awaiting = { form: formAfter(tapOther(formOf(name), 0)) };
  const unwanting = { form: formAfter(dropOther(formOf(name), 0)) };
  const summary = {
    form: walk(
      formOf(colour, name),
      (form) => tapOption(form, 0, 0),
      (form) => tapOption(form, 1, 0),
    ),
  };
  expect(listening([oldest, younger])).toBe(oldest);
  expect(listening([oldest, younger, awaiting])).toBe(awaiting);
  expect(listening([summary, unwanting, younger])).toBe(younger);
  expect(listening([summary, unwanting])).toBeUndefined();
  expect(listening([oldest, { form: stopAwaiting(awaiting.form) }])).toBe(oldest);
});

test("the answers go back beside the input, under the questions' own texts", () => {
  const input = { questions: [colour, fruits], metadata: { source: "x" } };
  const done = walk(
    formOf(colour, fruits),
    (form) => tapOption(form, 0, 0),
    (form) => tapOption(form, 1, 1),
    (form) => typeAnswer(form, "Figs"),
  );
  expect(answeredInput(input, done)).toEqual({
    ...input,
    answers: { "Which colour?": "Red", "Which fruits?": "Pear, Figs" },
  });
});

test("questions of the same text share an answer that holds both, for Claude looks them up by it", () => {
  const done = walk(
    formOf(colour, colour),
    (form) => tapOption(form, 0, 0),
    (form) => tapOption(form, 1, 1),
  );
  expect(answeredInput({}, done)).toEqual({ answers: { "Which colour?": "1. Red; 2. Blue" } });
});

test("options of the same label are told apart by their place", () => {
  const twice = { question: "Sure?", options: [{ label: "Yes" }, { label: "No" }, { label: "Yes" }] };
  expect(answersOf(formAfter(tapOption(formOf(twice), 0, 2)))).toEqual(["Yes (option 3)"]);
  expect(answersOf(formAfter(tapOption(formOf(twice), 0, 1)))).toEqual(["No"]);
});

test("a label of any length comes back whole", () => {
  const label = "a very long label ".repeat(50);
  const done = formAfter(tapOption(formOf({ question: "Which?", options: [{ label }] }), 0, 0));
  expect(answeredInput({}, done)).toEqual({ answers: { "Which?": label } });
});

test("more options than Claude promises can all be chosen", () => {
  const options = Array.from({ length: 30 }, (_, index) => ({ label: `Way ${index}` }));
  const done = formAfter(tapOption(formOf({ question: "Which?", options }), 0, 29));
  expect(answersOf(done)).toEqual(["Way 29"]);
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

test("what cannot be read is left out, what has no name gets one, and the rest is asked", () => {
  const form = formOf(null, {
    question: "Which?",
    header: 7,
    multiSelect: "yes",
    options: [
      "Red",
      null,
      { label: " ", description: "a pale one" },
      { label: "Blue", description: 7, preview: [] },
    ],
  });
  expect(form.questions).toEqual([
    {
      question: "Which?",
      multiple: false,
      options: [{ label: "Red" }, { label: "Option 3", description: "a pale one" }, { label: "Blue" }],
    },
  ]);
});

test("a question without options is answered by typing, with nothing to submit", () => {
  const form = formOf({ question: "What name?", multiSelect: true, options: "none" });
  expect(form.questions[0]?.multiple).toBe(false);
  expect(tapOption(form, 0, 0).kind).toBe("refused");
  expect(answersOf(formAfter(typeAnswer(form, "Signoff")))).toEqual(["Signoff"]);
});
