import type { MessageEntity } from "grammy/types";
import { describe, expect, test } from "vitest";
import { readEntities } from "./entity-reading.ts";
import { fixFormattedText, fixWithoutTrimming } from "./formatted-text.ts";
import { Refusal } from "./refusal.ts";
import { loadTdlib, type TdlibVerdict } from "./tdlib.ts";

const tdlib = loadTdlib();

const LINKS = [
  "https://example.com",
  "http://example.com/a b?c#d ",
  "HTTPS://Example.COM:0443/Path",
  "example.com?x=1",
  "README.md",
  "mailto:a@b",
  "user:pw@example.com:80/x",
  "https://1.2.3.4:8080",
  "http://[::1]:80/x",
  "https://münchen.example/straße",
  "tg://resolve?domain=x",
  "tg:resolve?domain=x",
  "ton://transfer/abc",
  "tg://re.solve",
  "tg://http://x.y",
  "src/x.ts:12",
  "./a.md",
  "#x",
  "https://localhost:3000",
  "http://x",
  "tel:+123",
  "vscode://file/x",
  "file:///etc/passwd",
  "ftp://example.com",
  "https://exa mple.com",
  "https://example.com:99999",
  "https://example.com:0",
  "https://ex%zzample.com",
  "https://ex%41ample.com",
  "https://.",
  "https://",
  "a:b:c.d",
];

describe("the simulator agrees with Telegram's own library", () => {
  test("on a thousand generated texts with entities", () => {
    const random = seeded(20_261_116);
    const differences: unknown[] = [];
    let refused = 0;
    for (let round = 0; round < 1000; round += 1) {
      const text = randomText(random);
      const entities = randomEntities(random, text);
      const theirs = tdlib.fix(text, entities);
      if ("error" in theirs) refused += 1;
      const ours = simulated(text, entities);
      if (JSON.stringify(ours) !== JSON.stringify(lowered(theirs)))
        differences.push({ text, entities, ours, theirs });
    }
    expect(differences).toEqual([]);
    // The generator must reach both sides, or the comparison says little.
    expect(refused).toBeGreaterThan(50);
    expect(refused).toBeLessThan(500);
  });

  test.each(LINKS)("on the link %j", (url) => {
    const entities: MessageEntity[] = [{ type: "text_link", offset: 0, length: 4, url }];
    expect(simulated("link", entities)).toEqual(lowered(tdlib.fix("link", entities)));
  });
});

describe("what TDLib is not asked about here", () => {
  test("blanks around a text go, and the entities move with it", () => {
    const bold: MessageEntity = { type: "bold", offset: 5, length: 6 };
    expect(fixFormattedText(" \n a bold  \n", [bold])).toEqual({
      text: "a bold",
      entities: [{ type: "bold", offset: 2, length: 4 }],
    });
  });

  test("blanks inside a leading code block stay", () => {
    const pre: MessageEntity = { type: "pre", offset: 0, length: 6 };
    expect(fixFormattedText("  x\n  ", [pre])).toEqual({ text: "  x", entities: [{ ...pre, length: 3 }] });
  });

  test.each(["   ", "\t\n", "\u200B\u200D", "\u3000", "\u{E0020}"])(
    "a text nobody could see (%j) is refused",
    (text) => {
      expect(() => fixFormattedText(text, [])).toThrow("Bad Request: text must be non-empty");
    },
  );

  test("an unknown entity type is refused and a detectable one ignored", () => {
    expect(() => readEntities([{ type: "sparkle", offset: 0, length: 1 }], nobody)).toThrow(
      "Bad Request: can't parse MessageEntity: Unsupported type specified",
    );
    expect(readEntities([{ type: "url", offset: 0, length: 1 }], nobody)).toEqual([]);
  });
});

function simulated(text: string, entities: MessageEntity[]): TdlibVerdict {
  try {
    return fixWithoutTrimming(text, readEntities(entities, nobody));
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message.replace("Bad Request: ", "") };
    throw error;
  }
}

/** TDLib says "Entity begins…"; the Bot API lowers the first letter. */
function lowered(verdict: TdlibVerdict): TdlibVerdict {
  return "error" in verdict
    ? { error: verdict.error.charAt(0).toLowerCase() + verdict.error.slice(1) }
    : verdict;
}

function nobody(): undefined {
  return undefined;
}

type Random = (below: number) => number;

/** Mulberry32: small, seeded, the same everywhere. */
function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function pick<T>(random: Random, from: readonly [T, ...T[]]): T {
  return from[random(from.length)] ?? from[0];
}

function randomText(random: Random): string {
  const length = random(30);
  return Array.from({ length }, () =>
    pick(random, [
      "a",
      "b",
      "Z",
      " ",
      " ",
      "\n",
      "\t",
      "\r",
      "é",
      "字",
      "😀",
      "👨‍💻",
      "\u200E",
      "\u200F",
      "\u202B",
      "\u030A",
      "\u0001",
      ".",
    ]),
  ).join("");
}

function randomEntities(random: Random, text: string): MessageEntity[] {
  return Array.from({ length: random(7) }, () => {
    const offset = random(50) === 0 ? -1 : random(text.length + 1);
    const length = random(40) === 0 ? random(100) : random(Math.max(1, text.length - offset + 1));
    return randomEntity(random, offset, length);
  });
}

function randomEntity(random: Random, offset: number, length: number): MessageEntity {
  const make = pick<() => MessageEntity>(random, [
    () => ({
      type: pick(random, ["bold", "italic", "underline", "strikethrough", "spoiler"] as const),
      offset,
      length,
    }),
    () => ({ type: pick(random, ["code", "blockquote", "expandable_blockquote"] as const), offset, length }),
    () => ({ type: "pre", offset, length }),
    () => ({ type: "pre", offset, length, language: pick(random, ["ts", "diff"]) }),
    () => ({
      type: "text_link",
      offset,
      length,
      url: pick(random, ["https://example.com/x", "a.example", "src/x.ts:12"]),
    }),
    () => ({ type: "date_time", offset, length, unix_time: 1_800_000_000, date_time_format: "" }),
    () => ({ type: "custom_emoji", offset, length, custom_emoji_id: "5368324170671202286" }),
  ]);
  return make();
}
