import { expect, test } from "vitest";
import type { FormattedText } from "../../../src/telegram/render/formatted.ts";
import { renderMarkdown } from "../../../src/telegram/render/markdown.ts";
import { chance } from "../../support/random.ts";
import { detectedByTdlib, validatedByTdlib } from "../../support/tdlib.ts";
import { aMarkdown } from "./a-markdown.ts";

/** What Telegram would make clickable though nobody wrote a link. */
function strayLinks({ text, entities }: FormattedText): string[] {
  const covers = entities.filter(({ type }) => type === "code" || type === "pre" || type === "text_link");
  return detectedByTdlib(text)
    .filter((found) =>
      covers.every(
        ({ offset, length }) => offset + length <= found.offset || found.offset + found.length <= offset,
      ),
    )
    .map(({ offset, length }) => text.slice(offset, offset + length))
    .filter((words) => !/^https?:\/\//i.test(words));
}

test("Telegram's own library takes every rendered answer as it is, and finds nothing else to click on", () => {
  const random = chance(1);
  for (let round = 0; round < 200; round += 1) {
    const message = renderMarkdown(aMarkdown(random, 20 + random.below(1500)));
    expect(validatedByTdlib(message)).toEqual(message);
    expect(strayLinks(message)).toEqual([]);
  }
});

test("noise is taken as it is too", () => {
  const random = chance(2);
  const pieces = [
    ..."*_~`[]()<>!|#>-+1.:\\/@$&; \n\t".split(""),
    "**",
    "```",
    "  \n",
    "\n\n",
    "a",
    "b.py",
    "é",
    "日",
    "👩‍👧",
    "\u202E",
  ];
  for (let round = 0; round < 1500; round += 1) {
    const markdown = Array.from({ length: random.below(40) }, () => random.pick(pieces)).join("");
    const message = renderMarkdown(markdown);
    if (message.text.trim() === "") continue;
    expect(validatedByTdlib(message)).toEqual(message);
    expect(strayLinks(message)).toEqual([]);
  }
});

test("half characters and control characters anywhere are harmless", () => {
  const random = chance(3);
  for (let round = 0; round < 1000; round += 1) {
    const codes = Array.from({ length: 1 + random.below(60) }, () =>
      random.below(random.pick([0x80, 0x300, 0x3000, 0xffff])),
    );
    const message = renderMarkdown(String.fromCharCode(...codes));
    if (message.text.trim() === "") continue;
    expect(validatedByTdlib(message)).toEqual(message);
  }
});
