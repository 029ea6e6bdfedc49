import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type Exit, onExit } from "../claude/exit.ts";
import { errLog, isMissing, outLog } from "../claude/process-folder.ts";
import { openStdin, type Stdin } from "../claude/stdin.ts";
import { type Follower, followLines } from "../claude/tail.ts";
import type { Process } from "../store/processes.ts";
import type { Desk } from "./desk.ts";
import { type Folded, ingest, type Reading } from "./ingest.ts";

/** A process of Claude's that we feed and read. */
export type LiveProcess = {
  id: Process["id"];
  sessionId: Process["sessionId"];
  reading: Reading;
  stdin: Stdin;
  /** When it last said or was told something. */
  activeAt: number;
  /** Lets go of it without ending it: the process lives on. */
  release(options: { flushMs: number }): Promise<void>;
};

/** How long to wait before a log is read again that could not be taken, as while the store is busy or the disk full. */
const READ_AGAIN_MS = [1_000, 2_000, 5_000, 15_000];

/** Feeds a process and reads it until it ends or is let go. `onEnded` comes after its last line was taken. */
export function attachProcess(
  desk: Desk,
  attach: {
    instance: string;
    process: Process & { os: NonNullable<Process["os"]> };
    folded: Folded;
    onEnded: (live: LiveProcess, end: { code?: number; stderr: string }) => void;
    onStdinFailure: (live: LiveProcess, message: string) => void;
  },
): LiveProcess {
  const { process, instance } = attach;
  const { folder } = process;
  const stdin = openStdin({
    folder,
    instance,
    source: { read: (offset) => desk.store.processes.bytesFrom(process.id, offset) },
    onError: (failure) => attach.onStdinFailure(live, failure.message),
  });
  const reading: Reading = { processId: process.id, sessionId: process.sessionId, ...attach.folded };
  let released = false;
  let failures = 0;
  let follower = follow(process.outOffset);
  const stopWatching = onExit({
    ...process.os,
    folder,
    onEnded: (exit) =>
      void finish(exit).catch((error: unknown) => desk.log.error("claude.end_failed", { error })),
    onError: (error) => desk.log.error("claude.exit_watch_failed", { process: process.id, error }),
  });
  const live: LiveProcess = {
    id: process.id,
    sessionId: process.sessionId,
    reading,
    stdin,
    activeAt: desk.clock(),
    async release({ flushMs }) {
      released = true;
      stopWatching();
      await follower.close();
      await stdin.close({ flushMs });
    },
  };
  return live;

  function follow(offset: number): Follower {
    return followLines({
      file: outLog(folder),
      offset,
      onLines(batch) {
        live.activeAt = desk.clock();
        ingest(desk, reading, batch);
        failures = 0;
      },
      onError(error) {
        // Without its log there is nothing left to read.
        if (isMissing(error)) return;
        failures += 1;
        desk.log.error("claude.lines_not_taken", { process: process.id, failures, error });
        setTimeout(readAgain, pause()).unref();
      },
    });
  }

  /** The lines that could not be taken are still in the log, and the row says from where on. */
  function readAgain(): void {
    if (released) return;
    try {
      follower = follow(desk.store.processes.get(process.id).outOffset);
    } catch (error) {
      desk.log.error("claude.read_again_failed", { process: process.id, error });
      setTimeout(readAgain, pause()).unref();
    }
  }

  function pause(): number {
    return READ_AGAIN_MS[Math.min(failures, READ_AGAIN_MS.length) - 1] ?? 1_000;
  }

  /** The end counts only when the log was read to its end: the last answer may be in what is left. */
  async function finish(exit: Exit): Promise<void> {
    for (;;) {
      await follower.drain();
      if (released) return;
      if (failures === 0) break;
      await delay(100);
    }
    await live.release({ flushMs: 0 });
    const stderr = await readFile(errLog(folder), "utf8").catch(() => "");
    attach.onEnded(live, { ...(exit.how === "recorded" ? { code: exit.code } : {}), stderr });
  }
}
