import { expect, test } from "vitest";
import { translate } from "../../src/claude/translate.ts";
import { parseLine } from "../../src/claude/wire.ts";
import { random } from "../support/random.ts";
import { recordedLines, recordingNames } from "../support/recordings.ts";

const lines = recordingNames().flatMap(recordedLines);
const STRANGE: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  "",
  "\u202e\u0000",
  [],
  {},
  [[{}]],
  { toString: 1, type: { type: [] } },
];

test("10,000 mutated lines: none makes the reader throw", () => {
  const next = random(20_261);
  for (let run = 0; run < 10_000; run++) {
    const line = pick(lines, next);
    const mutated = next() < 0.3 ? tear(line, next) : JSON.stringify(mutate(JSON.parse(line), next));
    // The line is part of the message, so that a failure can be tried again by hand.
    expect(() => translate(parseLine(mutated)), mutated).not.toThrow();
  }
});

test("10,000 messages with strange blocks put between known ones: every known event is still there, in order", () => {
  const next = random(4_711);
  const withBlocks = lines.filter((line) => contentOf(JSON.parse(line)) !== undefined);
  for (let run = 0; run < 10_000; run++) {
    const line = pick(withBlocks, next);
    const message = JSON.parse(line);
    const content = contentOf(message) ?? [];
    for (let added = 0; added < 3; added++) {
      content.splice(Math.floor(next() * (content.length + 1)), 0, strangeBlock(next));
    }
    message[`field${run}`] = pick(STRANGE, next);
    const kept = translate(parseLine(JSON.stringify(message))).events.filter(
      (event) => event.kind !== "unknown",
    );
    expect(kept).toEqual(translate(parseLine(line)).events);
  }
});

test("a deeply nested input is read and not walked", () => {
  const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
  const line = `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"X","input":${deep}}}`;
  expect(translate(parseLine(line)).events.map((event) => event.kind)).toEqual(["asked"]);
});

function contentOf(message: { message?: { content?: unknown } }): unknown[] | undefined {
  const content = message.message?.content;
  return Array.isArray(content) ? content : undefined;
}

function strangeBlock(next: () => number): unknown {
  const known = pick(["text", "tool_use", "tool_result", "hologram"], next);
  // A known type without what it needs is as strange as an unknown one.
  return next() < 0.5
    ? { type: known, [`x${Math.floor(next() * 9)}`]: pick(STRANGE, next) }
    : pick(STRANGE, next);
}

function mutate(value: unknown, next: () => number): unknown {
  if (next() < 0.04) return pick(STRANGE, next);
  if (Array.isArray(value)) {
    const kept = value.filter(() => next() > 0.05).map((one) => mutate(one, next));
    return next() < 0.1 ? [...kept, pick(STRANGE, next)] : kept;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(() => next() > 0.05)
    .map(([name, inner]): [string, unknown] => [next() < 0.02 ? `${name}_` : name, mutate(inner, next)]);
  if (next() < 0.1)
    entries.push([pick(["__proto__", "type", "constructor", "new"], next), pick(STRANGE, next)]);
  return Object.fromEntries(entries);
}

function tear(line: string, next: () => number): string {
  const at = Math.floor(next() * line.length);
  return pick(
    [line.slice(0, at), line.slice(at), `${line.slice(0, at)}\u0000${line.slice(at + 1)}`, line + line],
    next,
  );
}

function pick<T>(from: readonly T[], next: () => number): T {
  const one = from[Math.floor(next() * from.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}
