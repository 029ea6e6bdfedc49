import { expect, test } from "vitest";
import { link } from "../../../src/telegram/render/builder.ts";
import { isPretending, webAddress } from "../../../src/telegram/render/web-address.ts";
import { chance } from "../../support/random.ts";
import { validatedByTdlib } from "../../support/tdlib.ts";

test.each([
  ["https://example.com/a b", "https://example.com/a%20b"],
  ["HTTP://Example.COM", "http://example.com/"],
  ["https://münchen.de/ä", "https://xn--mnchen-3ya.de/%C3%A4"],
  ["http://1.2.3.4:8080/x", "http://1.2.3.4:8080/x"],
])("%s is an address", (target, address) => {
  expect(webAddress(target)).toBe(address);
});

test.each([
  "src/x.ts:12",
  "./a.md",
  "#part",
  "README.md",
  "//example.com",
  "https://localhost:3000",
  "http://x",
  "http://[::1]/",
  "https://a.com:99999",
  "https://a.com:0",
  "https://good.com@evil.com/",
  "https://a*b.com",
  "javascript:alert(1)",
  "mailto:a@b.com",
  "tg://resolve?domain=x",
  "file:///etc/passwd",
  `https://a.com/${"x".repeat(3000)}`,
  "",
])("%s is none", (target) => {
  expect(webAddress(target)).toBeUndefined();
});

test("every address that is accepted is taken by Telegram as it is", () => {
  const random = chance(11);
  const pieces = [
    ..."a b. .com com/ é 日本 - _ * ` $ % %41 %zz / // ? # @ : :80 :0 \\ ^ | { } [ ] < > \" ' ~ ! , ; = & + 1.2.3.4 😀".split(
      " ",
    ),
    " ",
    "\u202E",
    "\t",
  ];
  for (let round = 0; round < 20_000; round += 1) {
    const tail = Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join("");
    const address = webAddress(random.pick(["https://", "http://a.com", "https://a.b/"]) + tail);
    if (address === undefined) continue;
    const message = link("x", address);
    expect(validatedByTdlib(message)).toEqual(message);
  }
});

test.each([
  ["good.com", "https://evil.com/", true],
  ["good.com", "https://evil.com/good.com", true],
  ["see https://good.com/a", "https://good.com/b", true],
  ["good.com", "https://good.com.evil.com/", true],
  ["me@good.com", "https://evil.com/", true],
  ["good.com", "https://www.good.com/a", false],
  ["https://good.com/a", "https://good.com/a/b?c", false],
  ["the docs", "https://evil.com/", false],
])("whether %j leads elsewhere than to %s: %s", (label, address, pretending) => {
  expect(isPretending(label, address)).toBe(pretending);
});
