import { expect, test } from "vitest";
import {
  blockquote,
  bold,
  italic,
  join,
  link,
  paragraphs,
  pre,
} from "../../../src/telegram/render/builder.ts";
import { renderMarkdown } from "../../../src/telegram/render/markdown.ts";
import { MESSAGE_LIMITS, plain, splitFormatted } from "../../../src/telegram/render/split.ts";
import { chance } from "../../support/random.ts";
import { validatedByTdlib } from "../../support/tdlib.ts";
import { aMarkdown } from "./a-markdown.ts";
import { shown } from "./shown.ts";

const visible = (text: string) => text.replaceAll(/\s/g, "");

test("a text that fits is one message, without the white space Telegram would trim", () => {
  expect(splitFormatted(join(["\n ", bold("Hello "), "you \n\n"]))).toEqual([
    { text: "Hello you", entities: [{ type: "bold", offset: 0, length: 6 }] },
  ]);
});

test("nothing to see is no message", () => {
  expect(splitFormatted(join([" \n ", bold(" "), pre("\n")]))).toEqual([]);
});

test("code that fits into one message is not cut", () => {
  const parts = splitFormatted(paragraphs("Look:", pre("  one\n  two\n  three", "ts"), "Done."), {
    characters: 30,
  });
  expect(parts.map(shown).join("\n=====\n")).toMatchInlineSnapshot(`
    "Look:

      one
      two
      three
      pre "  one\\n  two\\n  three" (ts)
    =====
    Done."
  `);
});

test("code that does not fit is cut at a line's end and goes on in the same language", () => {
  const parts = splitFormatted(
    paragraphs("Look:", pre("first line\n\n  second line\n    third line", "ts")),
    { characters: 30 },
  );
  expect(parts.map(shown).join("\n=====\n")).toMatchInlineSnapshot(`
    "Look:

    first line
      pre "first line" (ts)
    =====
      second line
        third line
      pre "  second line\\n    third line" (ts)"
  `);
});

test("a blank line is the best cut in prose, then a line's end, then a space", () => {
  const cut = (text: string) => splitFormatted(join([text]), { characters: 20 }).map((part) => part.text);
  expect(cut("one two three\n\nfour five six")).toEqual(["one two three", "four five six"]);
  expect(cut("one two three\nfour five six")).toEqual(["one two three", "four five six"]);
  expect(cut("one two three four five six")).toEqual(["one two three four", "five six"]);
  expect(cut("x".repeat(30))).toEqual(["x".repeat(20), "x".repeat(10)]);
});

test("a character of many parts stays whole", () => {
  const family = "👨‍👩‍👧‍👦";
  const parts = splitFormatted(join([family.repeat(5)]), { characters: 25 });
  expect(parts.map((part) => part.text)).toEqual([family.repeat(2), family.repeat(2), family]);
});

test("open styles, links and quotes are opened again", () => {
  const message = blockquote(
    join([bold(join(["aaaa ", italic("bbbb cccc")])), " ", link("dddd eeee", "https://a.com/")]),
  );
  expect(splitFormatted(message, { characters: 12 }).map(shown).join("\n=====\n")).toMatchInlineSnapshot(`
    "aaaa bbbb
      blockquote "aaaa bbbb"
      bold "aaaa "
      bold "bbbb"
      italic "bbbb"
    =====
    cccc dddd
      blockquote "cccc dddd"
      bold "cccc"
      italic "cccc"
      text_link "dddd" → https://a.com/
    =====
    eeee
      blockquote "eeee"
      text_link "eeee" → https://a.com/"
  `);
});

test("a message holds no more entities, and no heavier ones, than Telegram takes", () => {
  const many = join(
    Array.from({ length: 250 }, (_, index) => bold(`word${index}`)),
    " ",
  );
  const heavy = join(
    Array.from({ length: 20 }, (_, index) => link(`link${index}`, `https://a.com/${"x".repeat(1900)}`)),
    " ",
  );
  expect(splitFormatted(many).map(({ entities }) => entities.length)).toEqual([100, 100, 50]);
  expect(splitFormatted(heavy).map(({ entities }) => entities.length)).toEqual([4, 4, 4, 4, 4]);
});

test("the plain form has the same text and no entities", () => {
  expect(plain(bold("x"))).toEqual({ text: "x", entities: [] });
});

test("any message, at any limit, keeps all that is visible in parts that Telegram takes as they are", () => {
  const random = chance(4);
  for (let round = 0; round < 60; round += 1) {
    const message = renderMarkdown(aMarkdown(random, 50 + random.below(4000)));
    const characters = random.pick([20, 64, 300, 1000, 4096]);
    const entities = random.pick([10, 100]);
    const parts = splitFormatted(message, { characters, entities });
    expect(visible(parts.map(({ text }) => text).join(""))).toBe(visible(message.text));
    for (const part of parts) {
      expect(part.text.trim()).not.toBe("");
      expect(part.text.trimEnd()).toBe(part.text);
      expect(part.text.length).toBeLessThanOrEqual(characters);
      expect(part.entities.length).toBeLessThanOrEqual(entities);
      expect(validatedByTdlib(part)).toEqual(part);
    }
  }
});

test("a long answer becomes messages that are all valid", () => {
  const message = renderMarkdown(aMarkdown(chance(8), 20_000));
  const parts = splitFormatted(message);
  expect(parts.length).toBeGreaterThan(4);
  expect(parts.map(validatedByTdlib)).toEqual(parts);
  expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThanOrEqual(MESSAGE_LIMITS.characters);
});
