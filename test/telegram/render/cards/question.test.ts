import { expect, test } from "vitest";
import type { RequestId } from "../../../../src/core/ids.ts";
import type { QuestionPage, QuestionView } from "../../../../src/core/view.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { draw, expectSendable } from "../draw.ts";

const at = Date.UTC(2026, 0, 1, 14, 3);
const aQuestion = (page: Partial<QuestionPage> = {}, fields: Partial<QuestionView> = {}): QuestionView => ({
  kind: "question",
  requestId: "r1" as RequestId,
  project: "web",
  count: 1,
  page: {
    kind: "question",
    position: 0,
    header: "Database",
    question: "Which database should db.ts use?",
    multiple: false,
    options: [
      { label: "SQLite", description: "One file, no server", chosen: false },
      { label: "Postgres", preview: "docker run postgres", chosen: false },
    ],
    answered: false,
    ownWords: "welcome",
    ...page,
  },
  answered: [],
  ...fields,
});
const several = {
  multiple: true,
  position: 1,
  options: [
    { label: "Tests", chosen: true },
    { label: "Docs", chosen: false },
  ],
} satisfies Partial<QuestionPage>;
const firstAnswer = { question: "Which database?", answer: "SQLite" };

test("a question has a button for each option, and says where words go", () => {
  expect(draw(aQuestion())).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · web

    Which database should db.ts use?

    1. <code>SQLite</code>
    One file, no server

    2. <code>Postgres</code>
    <pre>docker run postgres</pre>

    <italic>Tap an answer. Or write your own: the next message here is taken as the answer.</italic>
    [SQLite | v1:option:r1:0:0]
    [Postgres | v1:option:r1:0:1]
    [✍️ Other… | v1:other:r1:0]
    [Skip | v1:skip:r1:0]"
  `);
});

test("a choice of several shows what is ticked and waits for Submit", () => {
  const view = aQuestion(several, { count: 3, agent: "Explore", answered: [firstAnswer] });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · 2 of 3 · web · subagent Explore

    Which database should db.ts use?

    1. <code>Tests</code>

    2. <code>Docs</code>

    Which database?
    <blockquote>SQLite</blockquote>

    <italic>Tick as many as you like, then Submit. Or write your own: the next message here is taken as the answer, together with what is ticked.</italic>
    [☑ Tests | v1:option:r1:1:0]
    [☐ Docs | v1:option:r1:1:1]
    [✍️ Other… | v1:other:r1:1]
    [Back | v1:earlier:r1:1] [Submit | v1:submit:r1:1 success] [Skip all | v1:skip:r1:1]"
  `);
});

test("after Other the card waits for a message, with a way out and nothing else to tap", () => {
  expect(draw(aQuestion({ ownWords: "awaited" }))).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · web

    Which database should db.ts use?

    1. <code>SQLite</code>
    One file, no server

    2. <code>Postgres</code>
    <pre>docker run postgres</pre>

    <bold>✍️ I wait for your answer: send it as the next message here, or reply to this card.</bold>
    [Never mind | v1:nevermind:r1:0]"
  `);
});

test("after Other in a choice of several, what is ticked stays in sight", () => {
  expect(draw(aQuestion({ ...several, ownWords: "awaited" }, { count: 3 }))).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · 2 of 3 · web

    Which database should db.ts use?

    1. <code>Tests</code>

    2. <code>Docs</code>

    <bold>✍️ I wait for your answer: send it as the next message here, or reply to this card.</bold>

    Beside it stays ticked: Tests
    [Never mind | v1:nevermind:r1:1]"
  `);
});

test("after Never mind the card says that messages are no answer", () => {
  expect(draw(aQuestion({ ownWords: "unwanted" }))).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · web

    Which database should db.ts use?

    1. <code>SQLite</code>
    One file, no server

    2. <code>Postgres</code>
    <pre>docker run postgres</pre>

    <italic>Tap an answer. Messages here are not taken as the answer; tap Other or reply to this card for that.</italic>
    [SQLite | v1:option:r1:0:0]
    [Postgres | v1:option:r1:0:1]
    [✍️ Other… | v1:other:r1:0]
    [Skip | v1:skip:r1:0]"
  `);
});

test("a question beside another one asks for a reply", () => {
  expect(draw(aQuestion({ ownWords: "elsewhere" }))).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · web

    Which database should db.ts use?

    1. <code>SQLite</code>
    One file, no server

    2. <code>Postgres</code>
    <pre>docker run postgres</pre>

    <italic>Tap an answer. Or write your own: reply to this card, or tap Other. A plain message here answers another question.</italic>
    [SQLite | v1:option:r1:0:0]
    [Postgres | v1:option:r1:0:1]
    [✍️ Other… | v1:other:r1:0]
    [Skip | v1:skip:r1:0]"
  `);
});

test("a question with nothing to choose asks for words", () => {
  expect(draw(aQuestion({ options: [] }))).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · web

    Which database should db.ts use?

    <italic>Write your answer: the next message here is taken as the answer.</italic>
    [✍️ Other… | v1:other:r1:0]
    [Skip | v1:skip:r1:0]"
  `);
});

test("a question that the person came back to shows the option they had tapped", () => {
  const options = [
    { label: "SQLite", chosen: true },
    { label: "Postgres", chosen: false },
  ];
  const view = aQuestion({ position: 1, options, answered: true }, { count: 3, answered: [firstAnswer] });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · 2 of 3 · web

    Which database should db.ts use?

    1. <code>SQLite</code>

    2. <code>Postgres</code>

    Which database?
    <blockquote>SQLite</blockquote>

    <italic>Tap an answer. Or write your own: the next message here is taken as the answer.</italic>
    [✓ SQLite | v1:option:r1:1:0]
    [Postgres | v1:option:r1:1:1]
    [✍️ Other… | v1:other:r1:1]
    [Back | v1:earlier:r1:1] [Keep it | v1:submit:r1:1 success] [Skip all | v1:skip:r1:1]"
  `);
});

test("own words that were given before are shown, and ticked where several may be", () => {
  expect(draw(aQuestion({ typed: "a flat file", answered: true }))).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · web

    Which database should db.ts use?

    1. <code>SQLite</code>
    One file, no server

    2. <code>Postgres</code>
    <pre>docker run postgres</pre>

    ✍️ Your own words:
    <blockquote>a flat file</blockquote>

    <italic>Tap an answer. Or write your own: the next message here is taken as the answer.</italic>
    [SQLite | v1:option:r1:0:0]
    [Postgres | v1:option:r1:0:1]
    [✍️ Other… | v1:other:r1:0]
    [Keep it | v1:submit:r1:0 success] [Skip | v1:skip:r1:0]"
  `);
  expect(draw(aQuestion({ ...several, typed: "a changelog" }, { count: 2 }))).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · 2 of 2 · web

    Which database should db.ts use?

    1. <code>Tests</code>

    2. <code>Docs</code>

    ✍️ Your own words:
    <blockquote>a changelog</blockquote>

    <italic>Tick as many as you like, then Submit. Or write your own: the next message here is taken as the answer, together with what is ticked.</italic>
    [☑ Tests | v1:option:r1:1:0]
    [☐ Docs | v1:option:r1:1:1]
    [☑ ✍️ a changelog | v1:other:r1:1]
    [Back | v1:earlier:r1:1] [Submit | v1:submit:r1:1 success] [Skip all | v1:skip:r1:1]"
  `);
});

test("at the end of several questions all answers are shown before they are sent", () => {
  const answered = [firstAnswer, { question: "What else?", answer: "Tests, Docs, my own words" }];
  expect(draw(aQuestion({}, { count: 2, page: { kind: "summary" }, answered }))).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Your answers</bold> · web

    Which database?
    <blockquote>SQLite</blockquote>

    What else?
    <blockquote>Tests, Docs, my own words</blockquote>

    <italic>Send them, or go back to change one.</italic>
    [Send answers | v1:submit:r1:2 success]
    [Back | v1:earlier:r1:2] [Skip all | v1:skip:r1:2]"
  `);
});

test("when all is answered, the questions and their answers stay", () => {
  const answered = [firstAnswer, { question: "What else?", answer: "Tests, Docs" }];
  const outcome = { kind: "answered", by: "Ann", at } as const;
  expect(
    draw(aQuestion({}, { count: 2, page: { kind: "summary" }, answered, outcome })),
  ).toMatchInlineSnapshot(`
    "--- message
    <bold>✅ Answered by Ann · 14:03</bold>

    Which database?
    <blockquote>SQLite</blockquote>

    What else?
    <blockquote>Tests, Docs</blockquote>"
  `);
});

test("a question that was skipped says so and stays readable", () => {
  const view = aQuestion(
    {},
    { count: 2, answered: [firstAnswer], outcome: { kind: "denied", by: "Ann", at } },
  );
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    <bold>⏭ Skipped by Ann · 14:03</bold>
    ❓ <bold>Database</bold> · 1 of 2 · web

    Which database should db.ts use?

    1. <code>SQLite</code>
    One file, no server

    2. <code>Postgres</code>
    <pre>docker run postgres</pre>

    Which database?
    <blockquote>SQLite</blockquote>"
  `);
});

test("a question that was withdrawn stays readable", () => {
  expect(draw(aQuestion({}, { outcome: { kind: "withdrawn", at } }))).toMatchInlineSnapshot(`
    "--- message
    <bold>↩️ Withdrawn by Claude · 14:03</bold>
    ❓ <bold>Database</bold> · web

    Which database should db.ts use?

    1. <code>SQLite</code>
    One file, no server

    2. <code>Postgres</code>
    <pre>docker run postgres</pre>"
  `);
});

test("a long preview shows its head and its tail, and the whole of it is behind a button", () => {
  const preview = Array.from({ length: 200 }, (_, line) => `line ${line}`).join("\n");
  const rendered = renderView(aQuestion({ options: [{ label: "Long", preview, chosen: false }] }));
  const [card] = rendered.messages;
  expect(card?.text).toContain("line 0\n");
  expect(card?.text).toContain("line 199");
  expect(card?.text).not.toContain("line 100\n");
  expect(card?.buttons?.flat().map(({ label }) => label)).toContain("Show all");
  expect(rendered.file).toMatchObject({ name: "question.txt" });
  expect(rendered.file?.content).toContain(preview);
});

test("a preview is code whatever it holds", () => {
  const preview = "**bold** [link](https://example.org) /start";
  const rendered = renderView(aQuestion({ options: [{ label: "Raw", preview, chosen: false }] }));
  const [card] = rendered.messages;
  const block = card?.entities.find(({ type }) => type === "pre");
  expect(card?.text.slice(block?.offset, (block?.offset ?? 0) + (block?.length ?? 0))).toBe(preview);
});

test("an option without a label still has a button", () => {
  const [card] = renderView(aQuestion({ options: [{ label: " ", chosen: false }] })).messages;
  expect(card?.buttons?.[0]?.[0]?.label).toBe("Option 1");
});

test("options that look alike are told apart by their numbers", () => {
  const long = "the very same beginning of a label that no button has room for";
  const labels = (...given: string[]) =>
    renderView(aQuestion({ options: given.map((label) => ({ label, chosen: false })) }))
      .messages[0]?.buttons?.slice(0, given.length)
      .map(([button]) => button?.label.slice(0, 8));
  expect(labels("Yes", "Yes")).toEqual(["1. Yes", "2. Yes"]);
  expect(labels(`${long} one`, `${long} two`)).toEqual(["1. the v", "2. the v"]);
  expect(labels("Yes", "No")).toEqual(["Yes", "No"]);
});

test("a question at all its limits keeps its hint, and every option its button", () => {
  const long = "see README.md, ".repeat(2000);
  const options = Array.from({ length: 30 }, () => ({
    label: long,
    description: long,
    preview: long,
    chosen: true,
  }));
  const answered = Array.from({ length: 30 }, () => ({ question: long, answer: long }));
  const page = { header: long, question: long, options, multiple: true, typed: long };
  const view = aQuestion(page, { agent: long, answered, count: 31 });
  const rendered = renderView(view);
  expectSendable(rendered);
  expect(rendered.messages[0]?.text).toMatch(/taken as the answer, together with what is ticked\.$/);
  expect(rendered.messages[0]?.buttons).toHaveLength(33);
  const awaited = renderView(
    aQuestion({ ...page, ownWords: "awaited" }, { agent: long, answered, count: 31 }),
  );
  expectSendable(awaited);
  expect(awaited.messages[0]?.text).toContain("send it as the next message here");
  const summary = { ...view, page: { kind: "summary" } } as const;
  expectSendable(renderView(summary));
  expectSendable(renderView({ ...summary, outcome: { kind: "answered", by: long, at } }));
});
