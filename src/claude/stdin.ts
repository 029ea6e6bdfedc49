import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { killMarked, markEnv } from "./marked.ts";
import { inLog, isMissing } from "./process-folder.ts";
import type { RawPty } from "./raw-pty.ts";
import { openRawPty } from "./raw-pty.ts";

/** All bytes that are ever to be on one process's stdin, by their position in its log. */
export type StdinSource = {
  /** Some or all of the bytes from this offset on; undefined if there are none (yet). */
  read(offset: number): Buffer | undefined;
};

/** Why bytes do not reach the log. None of them is lost: the next `wake` goes on where the log ends. */
export type StdinFailure = {
  why: "folder_gone" | "disk_full" | "writer_lost" | "foreign_bytes" | "unexpected";
  message: string;
  cause?: unknown;
};

/** Whether the log holds all bytes of the source, or what keeps them from it. */
export type Settled = { ok: true } | { ok: false; failure: StdinFailure | "closed" };

/** The way to one process's stdin. */
export type Stdin = {
  /** Says that the source may have more bytes. */
  wake: () => void;
  /** Resolves when the log holds all bytes of the source, or when they cannot get there. */
  settled: () => Promise<Settled>;
  /** Releases the PTY, after waiting up to `flushMs` (0 by default) for bytes still under way. */
  close: (options?: { flushMs: number }) => Promise<void>;
};

/** The folder of the process, the bot whose writer this is, and where the bytes come from. */
export type StdinOptions = {
  folder: string;
  instance: string;
  source: StdinSource;
  onError: (failure: StdinFailure) => void;
};

// So much may be under way. A PTY takes some 12 kB before it says "not now", and to that libuv answers by trying again at
// once and for ever, for it holds a terminal's writes to be blocking: a writer that is stopped, or waits for its disk,
// would freeze the whole bot. What surely fits into the PTY is never refused.
const windowSize = 4 * 1024;
const deathsInARow = 3;

/**
 * Makes in.jsonl hold exactly the bytes of the source, through a raw PTY, going on where the log ends.
 * One per folder: opening it ends every other writer there.
 */
export function openStdin({ folder, instance, source, onError }: StdinOptions): Stdin {
  const log = inLog(folder);
  const marks = { instance, stdin: basename(folder) };
  let pty: RawPty | undefined;
  // The log position up to which bytes were handed to the PTY, and up to which they are in the file.
  let sent = 0;
  let arrived = 0;
  // What the source gave from `sent` on, and the window has no room for yet.
  let ahead: Buffer | undefined;
  // The last words of writers that died one after another without a byte arriving.
  let deaths: string[] = [];
  let isClosed = false;
  let isPumping = false;
  let pumping: Promise<void> = Promise.resolve();
  let waiting: ((outcome: Settled) => void)[] = [];
  wake();
  return { wake, settled, close };

  function wake(): void {
    if (isClosed || isPumping) return;
    isPumping = true;
    pumping = pump();
  }

  function settled(): Promise<Settled> {
    if (isClosed) return Promise.resolve({ ok: false, failure: "closed" });
    return new Promise((resolve) => {
      waiting.push(resolve);
      wake();
    });
  }

  async function close({ flushMs }: { flushMs: number } = { flushMs: 0 }): Promise<void> {
    if (flushMs > 0) await Promise.race([settled(), delay(flushMs, undefined, { ref: false })]);
    isClosed = true;
    tellWaiting({ ok: false, failure: "closed" });
    await pumping;
    await release();
  }

  /** Runs until the log holds all there is. Synchronous up to its first wait: a short line goes out at once. */
  async function pump(): Promise<void> {
    try {
      while (!isClosed) {
        const writer = pty ?? (await reopen());
        feed(writer);
        if (arrived === sent) break;
        await arrival(writer);
      }
      isPumping = false;
      tellWaiting({ ok: true });
    } catch (error) {
      // The next try begins at what the file really holds, with a writer that has nothing of this one under way.
      await release();
      isPumping = false;
      const failure = asFailure(error);
      tellWaiting({ ok: false, failure });
      onError(failure);
    }
  }

  async function reopen(): Promise<RawPty> {
    for (;;) {
      await mournDeaths();
      // The writer of a bot that was killed may still be appending: only when it is gone does the size hold still.
      const { left } = await killMarked(instance, (found) => found.stdin === marks.stdin);
      if (left.length > 0) throw new StdinError("writer_lost", `Cannot end the old writer (pid ${left[0]})`);
      arrived = await sizeOf(log);
      sent = arrived;
      ahead = undefined;
      const opened = await openRawPty({ file: log, env: markEnv(marks), onEnded });
      if (opened.ok) {
        pty = opened.pty;
        return pty;
      }
      deaths.push(opened.said);
    }
  }

  async function release(): Promise<void> {
    const released = pty;
    pty = undefined;
    await released?.end();
  }

  function onEnded(said: string): void {
    if (pty === undefined) return;
    pty = undefined;
    deaths.push(said);
    wake();
  }

  /** Gives up on a full disk, or after some deaths in a row; else lets a moment pass. */
  async function mournDeaths(): Promise<void> {
    const said = deaths.at(-1);
    if (said === undefined) return;
    const isFull = /no space left|quota exceeded/i.test(said);
    if (isFull || deaths.length >= deathsInARow) {
      deaths = [];
      throw new StdinError(
        isFull ? "disk_full" : "writer_lost",
        `Cannot write to ${log}: ${said || "killed"}`,
      );
    }
    await delay(50 * deaths.length);
  }

  function feed(writer: RawPty): void {
    while (sent - arrived < windowSize) {
      const next = ahead ?? source.read(sent);
      if (next === undefined || next.length === 0) return;
      const bytes = next.subarray(0, windowSize - (sent - arrived));
      ahead = bytes.length < next.length ? next.subarray(bytes.length) : undefined;
      writer.write(bytes);
      sent += bytes.length;
    }
  }

  /** Resolves when the file has grown, or when this writer is no longer the one in use. */
  async function arrival(writer: RawPty): Promise<void> {
    for (let pause = 1; pty === writer && !isClosed; pause = Math.min(pause * 2, 50)) {
      await delay(pause);
      const size = await sizeOf(log);
      if (size > sent) throw new StdinError("foreign_bytes", `${log} holds bytes that we did not write`);
      if (size > arrived) {
        arrived = size;
        deaths = [];
        return;
      }
    }
  }

  function tellWaiting(outcome: Settled): void {
    const told = waiting;
    waiting = [];
    for (const tell of told) tell(outcome);
  }
}

class StdinError extends Error {
  readonly why: StdinFailure["why"];

  constructor(why: StdinFailure["why"], message: string) {
    super(message);
    this.why = why;
  }
}

function asFailure(error: unknown): StdinFailure {
  if (error instanceof StdinError) return { why: error.why, message: error.message };
  return { why: "unexpected", message: error instanceof Error ? error.message : String(error), cause: error };
}

async function sizeOf(log: string): Promise<number> {
  try {
    return (await stat(log)).size;
  } catch (error) {
    if (isMissing(error)) throw new StdinError("folder_gone", `${log} is gone`);
    throw error;
  }
}
