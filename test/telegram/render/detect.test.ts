import { expect, test } from "vitest";
import { detect } from "../../../src/telegram/render/detect.ts";
import { TOP_LEVEL_DOMAINS } from "../../../src/telegram/render/top-level-domains.ts";
import { chance } from "../../support/random.ts";
import { detectedByTdlib } from "../../support/tdlib.ts";

const PIECES = [
  ..."README.md foo.py src / /start @types @ab $HOME #tag #1 . .. : :// http https ftp tg ton a Z9 _ - ~ @ a@b.com".split(
    " ",
  ),
  ..."? # = & ( ) [ ] { } ' ` \" < > « » , ; ! 日本 рф é 😀 com io Md PY 1.2.3.4 255 :80 :99999 :012 xn--abc xn--a".split(
    " ",
  ),
  ..."www. $ $1INCH · № ² | \\ * + … — /x_y@botname /x@b mailto: ’ ٣ ª Å á ක abcdefghijklmnopqrstuvwxyz0123456".split(
    " ",
  ),
  " ",
  "\n",
  "\u200C",
  "\u00A0",
];

test("it finds what Telegram finds, in texts made by chance", () => {
  const random = chance(20);
  const texts = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + random.below(8) }, () => random.pick(PIECES)).join(""),
  );
  const differing = texts.filter(
    (text) => JSON.stringify(detect(text)) !== JSON.stringify(detectedByTdlib(text)),
  );
  expect(differing).toEqual([]);
});

test("it knows the endings that Telegram takes for domains", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz".split("");
  const short = letters.flatMap((a) => letters.flatMap((b) => [a + b, ...letters.map((c) => a + b + c)]));
  const asked = [...new Set([...short, ...TOP_LEVEL_DOMAINS])];
  const known = asked.filter((ending) => detectedByTdlib(`ab.${ending}`).length > 0);
  expect(known.toSorted()).toEqual([...TOP_LEVEL_DOMAINS].toSorted());
});
