import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchProcess } from "../src/claude/launch.ts";
import { killMarked } from "../src/claude/marked.ts";
import { createFolder, inLog, outLog } from "../src/claude/process-folder.ts";
import { openStdin, type Stdin } from "../src/claude/stdin.ts";
import { followLines } from "../src/claude/tail.ts";
import { milliseconds, ratio, report } from "./support/report.ts";
import { median, percentile, sideBySide } from "./support/side-by-side.ts";

const SIZE = 10_000_000;
const BULK_ROUNDS = 7;
const LINES = 500;

const base = await mkdtemp(join(tmpdir(), "signoff-bench-"));
const instance = randomUUID();
try {
  await bulk();
  await roundTrips();
} finally {
  await killMarked(instance, () => true);
  await rm(base, { recursive: true, force: true });
}

/** 10 MB into a session's log through the raw PTY, beside a plain append. */
async function bulk(): Promise<void> {
  const folder = join(base, "bulk");
  await createFolder(folder);
  const bytes = randomBytes(SIZE);
  const fed = feed(folder);
  await fed.stdin.settled();
  const plain = join(base, "plain");
  const times = await sideBySide(BULK_ROUNDS, {
    pty: () => fed.send(bytes),
    append: () => appendFile(plain, bytes),
  });
  await fed.stdin.close();
  if ((await sha256(inLog(folder))) !== (await sha256(plain))) throw new Error("The two logs differ");
  const [pty, append] = [median(times.pty), median(times.append)];
  report(
    "10 MB of any bytes to one session",
    [
      { way: "raw PTY → in.jsonl", ratio: ratio(pty, append), median: milliseconds(pty) },
      { way: "plain append", ratio: "1", median: milliseconds(append) },
    ],
    `Every byte arrived intact (SHA-256 of the whole log), at ${Math.round(SIZE / pty / 1000)} MB/s.`,
  );
}

/** One line to a program that repeats it, through everything a prompt goes through, beside two pipes. */
async function roundTrips(): Promise<void> {
  const folder = join(base, "chain");
  const launched = await launchProcess({
    folder,
    argv: ["cat"],
    cwd: base,
    env: { PATH: process.env["PATH"] ?? "" },
    marks: { instance, session: "bench" },
  });
  if (!launched.ok) throw new Error(launched.message);
  const heard = listener();
  const fed = feed(folder);
  const follower = followLines({
    file: outLog(folder),
    offset: 0,
    onLines: ({ lines }) => lines.forEach(heard.line),
    onError: heard.fail,
  });
  const child = spawn("cat", { stdio: ["pipe", "pipe", "inherit"] });
  const piped = listener();
  child.stdout.setEncoding("utf8").on("data", (text: string) => piped.line(text.trimEnd()));
  let count = 0;
  const aLine = (): string => `{"type":"user","number":${count++},"text":"${"x".repeat(200)}"}`;
  const times = await sideBySide(LINES, {
    async chain() {
      const line = aLine();
      fed.hand(Buffer.from(`${line}\n`));
      await heard.hears(line);
    },
    async pipe() {
      const line = aLine();
      child.stdin.write(`${line}\n`);
      await piped.hears(line);
    },
  });
  await follower.close();
  await fed.stdin.close();
  await end(child);
  const at = (share: number) => {
    const [chain, pipe] = [percentile(times.chain, share), percentile(times.pipe, share)];
    return { chain: milliseconds(chain), pipe: milliseconds(pipe), ratio: ratio(chain, pipe) };
  };
  const [p50, p99] = [at(0.5), at(0.99)];
  report(
    `Round trip of one line, ${LINES} times`,
    [
      { at: "p50", ratio: p50.ratio, "whole chain": p50.chain, "bare pipes": p50.pipe },
      { at: "p99", ratio: p99.ratio, "whole chain": p99.chain, "bare pipes": p99.pipe },
    ],
    `A line goes through PTY, log, tail, cat, log and reader in ${p50.chain}; a session that outlives the bot costs that much.`,
  );
}

/** A stdin whose source is kept in memory, from where the log ends. */
function feed(folder: string): {
  stdin: Stdin;
  hand: (bytes: Buffer) => void;
  send: (bytes: Buffer) => Promise<void>;
} {
  let start = 0;
  let bytes: Buffer = Buffer.alloc(0);
  const stdin = openStdin({
    folder,
    instance,
    source: {
      read: (offset) => (offset < start + bytes.length ? bytes.subarray(offset - start) : undefined),
    },
    onError: (failure) => {
      throw new Error(failure.message);
    },
  });
  function hand(more: Buffer): void {
    // Small lines may still be under way, so they are kept; of the big ones each has arrived before the next.
    bytes = Buffer.concat([bytes, more]);
    stdin.wake();
  }
  return {
    stdin,
    hand,
    async send(more) {
      start += bytes.length;
      bytes = more;
      stdin.wake();
      await stdin.settled();
    },
  };
}

async function sha256(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

/** Lets one wait for one line. */
function listener(): {
  line: (line: string) => void;
  fail: (error: unknown) => void;
  hears: (line: string) => Promise<void>;
} {
  let expected: { line: string; resolve: () => void; reject: (error: unknown) => void } | undefined;
  return {
    line(line) {
      if (line === expected?.line) expected.resolve();
    },
    fail: (error) => expected?.reject(error),
    hears: (line) =>
      new Promise<void>((resolve, reject) => {
        expected = { line, resolve, reject };
      }),
  };
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, "exit");
}
