import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import type { LineBatch } from "./line-cutter.ts";
import { createLineCutter } from "./line-cutter.ts";
import { watchPath } from "./watch-path.ts";

/** A log that grows, and who takes its lines. */
export type Tail = {
  file: string;
  /** Where to begin: the end of the last line that was taken. */
  offset: number;
  /** Takes the next lines; synchronous, so that what they cause and the new offset can be one transaction. */
  onLines: (batch: LineBatch) => void;
  /** Told once why the tail stopped, be it the file or an `onLines` that threw; its batch counts as not taken. */
  onError: (error: unknown) => void;
  /** How often to look without being told of a change. */
  pollMs?: number;
};

/** A running tail. */
export type Follower = {
  /** Resolves when all that is in the file now was handed on (or the tail stopped). */
  drain: () => Promise<void>;
  /** Ends the tail; resolves when no more lines will be handed on. */
  close: () => Promise<void>;
};

/** Follows a log from an offset and hands its lines on in batches: whole lines only, each once, in order. */
export function followLines({ file, offset, onLines, onError, pollMs = 500 }: Tail): Follower {
  const cutter = createLineCutter(offset);
  let readTo = offset;
  let handle: FileHandle | undefined;
  let following = true;
  let isQueued = false;
  // One pass reads to the end of the file; passes run one after another, and at most one waits.
  let passes: Promise<void> = Promise.resolve();
  const stopWatching = watchPath(file, pollMs, queuePass);
  queuePass();

  return {
    drain() {
      queuePass();
      return passes;
    },
    async close() {
      stop();
      await passes;
      await release();
    },
  };

  function queuePass(): void {
    if (isQueued || !following) return;
    isQueued = true;
    passes = passes.then(() => {
      isQueued = false;
      return pass();
    });
  }

  async function pass(): Promise<void> {
    try {
      handle ??= await open(file, "r");
      for (let chunk = await readChunk(handle, readTo); chunk; chunk = await readChunk(handle, readTo)) {
        readTo += chunk.length;
        for (const batch of cutter.cut(chunk)) {
          if (!following) return;
          onLines(batch);
        }
      }
    } catch (error) {
      if (!following) return;
      stop();
      await release();
      onError(error);
    }
  }

  function stop(): void {
    following = false;
    stopWatching();
  }

  async function release(): Promise<void> {
    const released = handle;
    handle = undefined;
    await released?.close();
  }
}

/** The whole lines of a log between two offsets, in batches: for folding again what was taken before. */
export async function* readLines(file: string, from: number, to: number): AsyncGenerator<LineBatch> {
  const cutter = createLineCutter(from);
  const handle = await open(file, "r");
  try {
    let readTo = from;
    while (readTo < to) {
      const chunk = await readChunk(handle, readTo, to);
      if (chunk === undefined) return;
      readTo += chunk.length;
      yield* cutter.cut(chunk);
    }
  } finally {
    await handle.close();
  }
}

const chunkSize = 256 * 1024;

// Buffers are as large as what is there and live for one chunk: a session that is silent holds none.
async function readChunk(
  handle: FileHandle,
  at: number,
  to = Number.POSITIVE_INFINITY,
): Promise<Buffer | undefined> {
  const { size } = await handle.stat();
  if (size < at) throw new Error(`The log shrank to ${size} bytes, and ${at} had been read`);
  const length = Math.min(size - at, to - at, chunkSize);
  if (length === 0) return undefined;
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
  return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
}
