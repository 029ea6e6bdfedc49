import { expect, test } from "vitest";
import type { RequestId } from "../../../../src/core/ids.ts";
import type { QuestionView } from "../../../../src/core/view.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { draw, expectSendable } from "../draw.ts";

const at = Date.UTC(2026, 0, 1, 14, 3);
const aQuestion = (fields: Partial<QuestionView> = {}): QuestionView => ({
  kind: "question",
  requestId: "r1" as RequestId,
  project: "web",
  position: 0,
  count: 1,
  header: "Database",
  question: "Which database should db.ts use?",
  multiple: false,
  options: [
    { label: "SQLite", description: "One file, no server", chosen: false },
    { label: "Postgres", preview: "docker run postgres", chosen: false },
  ],
  answered: [],
  ...fields,
});

test("a question has a button for each option, and words are welcome", () => {
  expect(draw(aQuestion())).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · web

    Which database should db.ts use?

    1. <code>SQLite</code>
    One file, no server

    2. <code>Postgres</code>
    <pre>docker run postgres</pre>

    <italic>Tap an answer, or type your answer as a message.</italic>
    [SQLite | v1:option:r1:0:0]
    [Postgres | v1:option:r1:0:1]
    [Skip | v1:skip:r1:0]"
  `);
});

test("a choice of several shows what is ticked and waits for Submit", () => {
  const view = aQuestion({
    multiple: true,
    position: 1,
    count: 3,
    agent: "Explore",
    options: [
      { label: "Tests", chosen: true },
      { label: "Docs", chosen: false },
    ],
    answered: [{ question: "Which database?", answer: "SQLite" }],
  });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    ❓ <bold>Database</bold> · 2 of 3 · web · subagent Explore

    Which database should db.ts use?

    1. <code>Tests</code>

    2. <code>Docs</code>

    Which database?
    <blockquote>SQLite</blockquote>

    <italic>Choose as many as you like, then Submit, or type your answer as a message.</italic>
    [☑ Tests | v1:option:r1:1:0]
    [☐ Docs | v1:option:r1:1:1]
    [Submit | v1:submit:r1:1 success] [Skip | v1:skip:r1:1]"
  `);
});

test("when all is answered, the questions and their answers stay", () => {
  const answered = [
    { question: "Which database?", answer: "SQLite" },
    { question: "What else?", answer: "Tests, Docs" },
  ];
  expect(draw(aQuestion({ answered, outcome: { kind: "answered", by: "Ann", at } }))).toMatchInlineSnapshot(`
    "--- message
    <bold>✅ Answered by Ann · 14:03</bold>

    Which database?
    <blockquote>SQLite</blockquote>

    What else?
    <blockquote>Tests, Docs</blockquote>"
  `);
});

test("a question that was withdrawn stays readable", () => {
  expect(draw(aQuestion({ outcome: { kind: "withdrawn", at } }))).toMatchInlineSnapshot(`
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

test("an option without a label still has a button", () => {
  const [card] = renderView(aQuestion({ options: [{ label: " ", chosen: false }] })).messages;
  expect(card?.buttons?.[0]?.[0]?.label).toBe("Option 1");
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
  const view = aQuestion({
    header: long,
    question: long,
    agent: long,
    options,
    answered,
    multiple: true,
    count: 31,
  });
  const rendered = renderView(view);
  expectSendable(rendered);
  expect(rendered.messages[0]?.text).toMatch(/type your answer as a message\.$/);
  expect(rendered.messages[0]?.buttons).toHaveLength(31);
  expectSendable(renderView({ ...view, outcome: { kind: "answered", by: long, at } }));
});
