import { expect, test } from "vitest";
import type { AnswerView } from "../../../../src/core/view.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { draw, expectSendable } from "../draw.ts";

const anAnswer = (markdown: string, footer: Partial<AnswerView["footer"]> = {}): AnswerView => ({
  kind: "answer",
  markdown,
  footer: { durationMs: 12_000, ...footer },
});

test("an answer is formatted, with a quiet footer", () => {
  const footer = { costUsd: 0.042, model: "sonnet" };
  expect(
    draw(anAnswer("**Done.** I changed `a.ts`:\n\n```ts\nconst a = 1;\n```", footer)),
  ).toMatchInlineSnapshot(`
    "--- message
    <bold>Done.</bold> I changed <code>a.ts</code>:

    <pre ts>const a = 1;</pre>

    <italic>12 s · $0.04 · sonnet</italic>"
  `);
});

test("an answer that came from the background says so, and next to nothing has a price too", () => {
  expect(
    draw(anAnswer("Done.", { durationMs: 63_000, costUsd: 0.0001, background: true })),
  ).toMatchInlineSnapshot(`
    "--- message
    Done.

    <italic>1m 3s · < $0.01 · background</italic>"
  `);
});

test("an answer without words is still an answer", () => {
  expect(draw(anAnswer("  \n"))).toMatchInlineSnapshot(`
    "--- message
    Claude is done and had nothing to say.

    <italic>12 s</italic>"
  `);
});

test("a long answer is split, and only its last part has the footer", () => {
  const rendered = renderView(anAnswer("A sentence of it.\n\n".repeat(600)));
  expectSendable(rendered);
  expect(rendered.file).toBeUndefined();
  expect(rendered.messages.map(({ text }) => text.includes("12 s"))).toEqual([false, false, true]);
});

test("every length of an answer leaves room for its footer", () => {
  for (let length = 3600; length < 4300; length += 7) {
    const { messages } = renderView(
      anAnswer("word ".repeat(length / 5), { model: "m".repeat(200), costUsd: 1 }),
    );
    expect(messages.at(-1)?.text).toContain(" · mmm");
  }
});

test("a very long answer is its beginning and a file with all of it", () => {
  const markdown = "A sentence of it.\n\n".repeat(2000);
  const rendered = renderView(anAnswer(markdown));
  expectSendable(rendered);
  expect(rendered.messages).toHaveLength(2);
  expect(rendered.messages[1]?.text).toMatch(/… The whole answer is in the file\.\n\n12 s$/);
  expect(rendered.file).toEqual({ name: "answer.md", content: markdown });
});
