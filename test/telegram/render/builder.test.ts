import { expect, test } from "vitest";
import {
  blockquote,
  bold,
  code,
  expandableBlockquote,
  italic,
  join,
  lines,
  link,
  paragraphs,
  pre,
} from "../../../src/telegram/render/builder.ts";
import { canonical } from "../../../src/telegram/render/canonical.ts";
import { validatedByTdlib } from "../../support/tdlib.ts";
import { shown } from "./shown.ts";

test("a card is put together from contents", () => {
  const card = paragraphs(
    join([bold("Bash"), " 🖥 ", code("npm test")]),
    undefined,
    lines("", pre("npm test\n", "bash"), blockquote(join(["because ", italic("so")]))),
    expandableBlockquote("more"),
    link("page", "https://example.com/"),
  );
  expect(shown(card)).toMatchInlineSnapshot(`
    "Bash 🖥 npm test

    npm test

    because so

    more

    page
      bold "Bash"
      code "npm test"
      pre "npm test\\n" (bash)
      blockquote "because so"
      italic "so"
      expandable_blockquote "more"
      text_link "page" → https://example.com/"
  `);
});

test("whatever text a card is given is shown literally", () => {
  const hostile = "<b>**x**</b>\u202E\u001B[2J";
  expect(join([bold(hostile), code(`a\n${hostile}`)]).text).toMatchInlineSnapshot(
    `"<b>**x**</b>⟨U+202E⟩⟨ESC⟩[2Ja⏎<b>**x**</b>⟨U+202E⟩⟨ESC⟩[2J"`,
  );
});

test("entities come into the form Telegram gives them", () => {
  const tangled = join([
    bold(join(["a ", code("b"), " ", italic(link("c", "https://c.com/")), " d"])),
    bold("e"),
    "f",
  ]);
  const message = canonical(blockquote(tangled));
  expect(validatedByTdlib(tangled)).toEqual(canonical(tangled));
  expect(validatedByTdlib(message)).toEqual(message);
  expect(shown(message)).toMatchInlineSnapshot(`
    "a b c def
      blockquote "a b c def"
      bold "a "
      code "b"
      bold " "
      text_link "c" → https://c.com/
      bold "c"
      italic "c"
      bold " de""
  `);
});
