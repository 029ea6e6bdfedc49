import { expect, test } from "vitest";
import { literal } from "../../../src/telegram/render/literal.ts";
import { chance } from "../../support/random.ts";

const lines = (text: string) => literal(text, { multiline: true });

test.each([
  ["colours of a terminal", "\u001B[31mred", "⟨ESC⟩[31mred"],
  ["control characters", "a\u0000b\u0008c\u007Fd\u0085e", "a⟨NUL⟩b⟨BS⟩c⟨DEL⟩d⟨U+0085⟩e"],
  [
    "characters that turn the direction",
    "a\u202Eb\u2066c\u200Fd\u061Ce",
    "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200F⟩d⟨U+061C⟩e",
  ],
  [
    "characters without width",
    "a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf\u00ADg",
    "a⟨U+200B⟩b⟨U+200C⟩c⟨U+200D⟩d⟨U+2060⟩e⟨U+FEFF⟩f⟨U+00AD⟩g",
  ],
  ["line separators", "a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"],
  ["tag characters", "a\u{E0041}\u{E007F}", "a⟨U+E0041⟩⟨U+E007F⟩"],
  ["half a character", "a\uD83Db\uDE00", "a⟨U+D83D⟩b⟨U+DE00⟩"],
  ["fillers and selectors that stand alone", "a\uFE0F\u3164\u2800", "a⟨U+FE0F⟩⟨U+3164⟩⟨U+2800⟩"],
  ["a lone carriage return", "safe\rrm", "safe⟨CR⟩rm"],
])("%s are made visible", (_, text, expected) => {
  expect(lines(text)).toBe(expected);
});

test.each([
  ["families", "👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈"],
  ["flags and keys", "🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ #️⃣"],
  ["emoji that are also signs", "❤️ ☑️ ©️ ☺︎"],
  ["Persian and Hindi spelling", "می‌خواهم क्‍ष"],
  ["other scripts", "日本語 Ελληνικά עברית العربية"],
])("%s stay as they are", (_, text) => {
  expect(lines(text)).toBe(text);
});

test("tabs go to the next column of four, and Windows' line ends become plain", () => {
  expect(lines("a\tb\r\n\tc")).toBe("a   b\n    c");
});

test("in one line, line breaks are signs", () => {
  expect(literal("npm test\nrm -rf /", { multiline: false })).toBe("npm test⏎rm -rf /");
});

test("a ring that Telegram would remove is joined to its letter", () => {
  expect(lines("A\u030Angstro\u0308m x\u030A")).toBe("Ångstro\u0308m x⟨U+030A⟩");
});

test("what is visible already stays so", () => {
  const random = chance(3);
  for (let round = 0; round < 2000; round += 1) {
    const text = String.fromCodePoint(
      ...Array.from({ length: 6 }, () => random.below(random.pick([0x80, 0x2100, 0xffff, 0x10ffff]))),
    );
    const once = lines(text);
    expect(lines(once)).toBe(once);
  }
});
