import { mkdtempSync } from "node:fs";
import { appendFile, open, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LineBatch } from "../../src/claude/line-cutter.ts";
import { createLineCutter } from "../../src/claude/line-cutter.ts";
import { followLines, readLines } from "../../src/claude/tail.ts";
import { until } from "../support/held-process.ts";

test("lines that are there and lines that come are handed on, with the offset after each batch", async () => {
  const file = await aLog("one\ntwo\n");
  const { batches, follower } = followed(file);
  await follower.drain();
  expect(batches).toEqual([{ lines: ["one", "two"], endOffset: 8 }]);
  await appendFile(file, "three\n");
  await until(() => expect(batches.at(-1)).toEqual({ lines: ["three"], endOffset: 14 }));
});

test("following from an offset hands on only what lies after it", async () => {
  const { batches, follower } = followed(await aLog("one\ntwo\n"), 4);
  await follower.drain();
  expect(batches).toEqual([{ lines: ["two"], endOffset: 8 }]);
});

test("a torn line waits for its end, even when the cut goes through a character", async () => {
  const bytes = Buffer.from("first\nä€😀\n");
  const file = await aLog("");
  const { batches, follower } = followed(file);
  for (const byte of bytes) {
    await appendFile(file, Buffer.from([byte]));
    await follower.drain();
  }
  expect(batches).toEqual([
    { lines: ["first"], endOffset: 6 },
    { lines: ["ä€😀"], endOffset: bytes.length },
  ]);
});

test("lines of many MB come whole while the file grows in odd pieces", async () => {
  const lines = ["short", "ä€😀x".repeat(700_000), "", "€".repeat(1_500_000), "last"];
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const file = await aLog("");
  const { batches, follower } = followed(file);
  const log = await open(file, "a");
  for (let at = 0; at < bytes.length; at += 99_991) await log.write(bytes.subarray(at, at + 99_991));
  await log.close();
  await follower.drain();
  expect(batches.flatMap((batch) => batch.lines)).toEqual(lines);
  expect(batches.at(-1)?.endOffset).toBe(bytes.length);
});

test("every batch is bounded and its offset is one to begin again at", async () => {
  const lines = Array.from({ length: 5_000 }, (_, n) => `${n} ${"ü".repeat(n % 300)}`);
  const text = lines.map((line) => `${line}\n`).join("");
  const { batches, follower } = followed(await aLog(text));
  await follower.drain();
  expect(Math.max(...batches.map((batch) => batch.lines.length))).toBeLessThanOrEqual(200);
  const taken: string[] = [];
  for (const { lines: some, endOffset } of batches) {
    taken.push(...some);
    expect(endOffset).toBe(Buffer.byteLength(taken.map((line) => `${line}\n`).join("")));
  }
  expect(taken).toEqual(lines);
});

test("a taker that throws is reported and stops the tail", async () => {
  const file = await aLog("one\n");
  const errors: unknown[] = [];
  const seen: string[] = [];
  const follower = followLines({
    file,
    offset: 0,
    onLines: ({ lines }) => {
      seen.push(...lines);
      throw new Error("no");
    },
    onError: (error) => errors.push(error),
    pollMs: 20,
  });
  await follower.drain();
  await appendFile(file, "two\n");
  await follower.drain();
  expect({ seen, errors }).toEqual({ seen: ["one"], errors: [new Error("no")] });
  await follower.close();
});

test("a log that is not there, and one that shrank, are reported", async () => {
  const missing = followed(join(await aFolder(), "none"));
  await missing.follower.drain();
  expect(missing.errors).toMatchObject([{ code: "ENOENT" }]);

  const file = await aLog("one\ntwo\n");
  const shrunk = followed(file);
  await shrunk.follower.drain();
  await truncate(file, 2);
  await until(() => expect(shrunk.errors).toMatchObject([{ message: expect.stringContaining("shrank") }]));
});

test("nothing is handed on after the close", async () => {
  const file = await aLog("one\n");
  const { batches, follower } = followed(file);
  await follower.drain();
  await follower.close();
  await appendFile(file, "two\n");
  await follower.drain();
  expect(batches.flatMap(({ lines }) => lines)).toEqual(["one"]);
});

test("a tail may be closed by the one that takes its lines", async () => {
  const lines = Array.from({ length: 300 }, (_, n) => String(n));
  const file = await aLog(lines.map((line) => `${line}\n`).join(""));
  const taken: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const follower = followLines({
      file,
      offset: 0,
      onLines: (batch) => {
        taken.push(...batch.lines);
        follower.close().then(resolve, reject);
      },
      onError: reject,
    });
  });
  expect(taken).toEqual(lines.slice(0, 200));
});

test("reading again gives the whole lines between two offsets and no torn one", async () => {
  const big = "€".repeat(300_000);
  const file = await aLog(`one\n${big}\nthree\nfour\n`);
  const to = 4 + Buffer.byteLength(big) + 1 + 6;
  const lines: string[] = [];
  for await (const batch of readLines(file, 4, to + 2)) lines.push(...batch.lines);
  expect(lines).toEqual([big, "three"]);
});

test("cutting gives the same lines wherever the chunks are cut", () => {
  const bytes = Buffer.from("a\n\nä€\n😀 and more\nrest");
  for (let size = 1; size <= bytes.length; size += 1) {
    const cutter = createLineCutter(100);
    const batches: LineBatch[] = [];
    for (let at = 0; at < bytes.length; at += size)
      batches.push(...cutter.cut(bytes.subarray(at, at + size)));
    expect(batches.flatMap(({ lines }) => lines)).toEqual(["a", "", "ä€", "😀 and more"]);
    expect(batches.at(-1)?.endOffset).toBe(100 + bytes.length - 4);
  }
});

async function aFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "signoff-tail-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function aLog(content: string): Promise<string> {
  const file = join(await aFolder(), "out.jsonl");
  await writeFile(file, content);
  return file;
}

function followed(file: string, offset = 0) {
  const batches: LineBatch[] = [];
  const errors: unknown[] = [];
  const follower = followLines({
    file,
    offset,
    onLines: (batch) => batches.push(batch),
    onError: (error) => errors.push(error),
    pollMs: 50,
  });
  onTestFinished(() => follower.close());
  return { batches, errors, follower };
}
