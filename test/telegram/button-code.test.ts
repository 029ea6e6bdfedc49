import { expect, test } from "vitest";
import type { PromptId, RequestId, ThreadId, TurnId } from "../../src/core/ids.ts";
import type { Tap } from "../../src/core/view.ts";
import { decodeTap, encodeTap } from "../../src/telegram/button-code.ts";
import { random } from "../support/random.ts";

const uuid = "123e4567-e89b-42d3-a456-426614174000";
const requestId = "r_8Zk-42" as RequestId;
const longest = "x".repeat(44);

const taps: Tap[] = [
  ...(["allow", "deny", "always", "confirm", "back", "full", "reveal", "show"] as const).map((verb) => ({
    verb,
    requestId,
  })),
  ...(["approve", "refuse", "pause", "discuss"] as const).map((verb) => ({ verb, requestId })),
  { verb: "option", requestId, position: 0, option: 3 },
  { verb: "option", requestId: longest as RequestId, position: 999, option: 999 },
  { verb: "submit", requestId, position: 12 },
  { verb: "skip", requestId: uuid as RequestId, position: 999 },
  ...(["other", "nevermind", "earlier"] as const).map((verb) => ({
    verb,
    requestId: longest as RequestId,
    position: 999,
  })),
  { verb: "stop", turnId: uuid as TurnId },
  ...(["denysend", "retry", "fresh"] as const).map((verb) => ({ verb, promptId: uuid as PromptId })),
  { verb: "project", name: `my_web-${"p".repeat(25)}` },
  ...(["on", "off", "auto", "clear"] as const).map((setting) => ({ verb: "planmode" as const, setting })),
  { verb: "trust", trustId: uuid },
  { verb: "distrust", trustId: longest },
  { verb: "enable", threadId: longest as ThreadId },
];

test.each(taps)("the tap %j survives the way through Telegram within 64 bytes", (tap) => {
  const data = encodeTap(tap);
  expect(decodeTap(data)).toEqual(tap);
  expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
});

test("a tap is written as its version, its verb and its id", () => {
  expect(encodeTap({ verb: "option", requestId, position: 1, option: 0 })).toBe("v1:option:r_8Zk-42:1:0");
});

test.each([
  "",
  "v1",
  "v1:allow",
  "v1:allow:",
  "v2:allow:abc",
  "allow:abc",
  "v1:explode:abc",
  "v1:constructor:abc",
  "v1:allow:abc:1",
  "v1:allow:a b",
  "v1:allow:абв",
  "v1:allow:abc\n",
  "v1:option:abc:1",
  "v1:option:abc:1:",
  "v1:option:abc:01:1",
  "v1:option:abc:-1:1",
  "v1:option:abc:1e2:1",
  "v1:option:abc:1:2:3",
  "v1:submit:abc:1000",
  "v1:planmode:maybe",
  `v1:allow:${"x".repeat(45)}`,
  `v1:allow:${"x".repeat(100_000)}`,
])("data that we never wrote is no tap: %j", (data) => {
  expect(decodeTap(data)).toBeUndefined();
});

test("whatever decodes is written back letter for letter", () => {
  const alphabet = ["v1", ":", "option", "allow", "submit", "a", "0", "1", "99", "-", "_", " ", "é"];
  const roll = random(7);
  const next = (bound: number) => Math.floor(roll() * bound);
  let decoded = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const tail = Array.from({ length: next(6) }, () => alphabet[next(alphabet.length)]).join("");
    const data = `v1:${["option", "submit", "allow", "stop"][next(4)]}:${tail}`;
    const tap = decodeTap(data);
    if (tap === undefined) continue;
    decoded += 1;
    expect(encodeTap(tap)).toBe(data);
  }
  expect(decoded).toBeGreaterThan(100);
});

test("an id that cannot travel is refused where the button is made", () => {
  expect(() => encodeTap({ verb: "allow", requestId: "a:b" as RequestId })).toThrow(RangeError);
  expect(() => encodeTap({ verb: "allow", requestId: "x".repeat(60) as RequestId })).toThrow(RangeError);
  expect(() => encodeTap({ verb: "submit", requestId, position: 1000 })).toThrow(RangeError);
  expect(() => encodeTap({ verb: "submit", requestId, position: 1.5 })).toThrow(RangeError);
});
