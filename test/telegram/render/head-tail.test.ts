import { expect, test } from "vitest";
import { headAndTail } from "../../../src/telegram/render/head-tail.ts";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

test("a short text stays whole", () => {
  expect(headAndTail(numbered(7), { lines: 6, characters: 100 })).toBe(numbered(7));
});

test("a text with many lines keeps the first and the last ones", () => {
  expect(headAndTail(numbered(1220), { lines: 6 })).toMatchInlineSnapshot(`
    "line 1
    line 2
    line 3
    line 4
    … 1,214 lines …
    line 1219
    line 1220"
  `);
});

test("fewer lines are kept if they are long", () => {
  expect(headAndTail(numbered(1000), { lines: 100, characters: 80 })).toMatchInlineSnapshot(`
    "line 1
    line 2
    line 3
    line 4
    line 5
    line 6
    … 992 lines …
    line 999
    line 1000"
  `);
});

test("a very long line is cut between characters, never inside one", () => {
  const text = `start ${"👨‍👩‍👧‍👦".repeat(100)} end`;
  expect(headAndTail(text, { lines: 4, characters: 100 })).toMatchInlineSnapshot(`
    "start 👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦
    … 1,056 characters …
    👨‍👩‍👧‍👦 end"
  `);
});

test.each([10, 33, 64, 100, 500, 4000])(
  "with room for %i characters it stays within the room",
  (characters) => {
    for (const text of [numbered(3000), "x".repeat(9000), `${"y".repeat(3000)}\n${numbered(50)}`]) {
      const shortened = headAndTail(text, { lines: 20, characters });
      expect(shortened.length).toBeLessThanOrEqual(Math.max(characters, 40));
      expect(shortened.split("\n").length).toBeLessThanOrEqual(21);
    }
  },
);
