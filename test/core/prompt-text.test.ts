import { expect, test } from "vitest";
import { startsWithSlash } from "../../src/core/prompt-text.ts";

test.each(["/clear", "  /compact now", "\n/x"])("%j is a slash command of Claude's", (text) => {
  expect(startsWithSlash(text)).toBe(true);
});

test.each(["", " ", "look at /etc", "\\/clear", "clear /"])("%j is none", (text) => {
  expect(startsWithSlash(text)).toBe(false);
});
