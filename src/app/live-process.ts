import { readFile } from "node:fs/promises";
import { type Exit, onExit } from "../claude/exit.ts";
import { errLog, outLog } from "../claude/process-folder.ts";
import { openStdin, type Stdin } from "../claude/stdin.ts";
import { type Follower, followLines } from "../claude/tail.ts";
import type { AgentEvent } from "../core/agent-event.ts";
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

/** Feeds a process and reads it until it ends or is let go. `onEnded` comes after its last line was taken. */
export function attachProcess(
  desk: Desk,
  attach: {
    instance: string;
    process: Process & { os: NonNullable<Process["os"]> };
    folded: Folded;
    onEvents: (live: LiveProcess, events: AgentEvent[]) => void;
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
  const follower: Follower = followLines({
    file: outLog(folder),
    offset: process.outOffset,
    onLines(batch) {
      live.activeAt = desk.clock();
      attach.onEvents(live, ingest(desk, reading, batch));
    },
    onError: (error) => desk.log.error("claude.tail_stopped", { process: process.id, error }),
  });
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
      stopWatching();
      await follower.close();
      await stdin.close({ flushMs });
    },
  };
  return live;

  async function finish(exit: Exit): Promise<void> {
    await follower.drain();
    await live.release({ flushMs: 0 });
    const stderr = await readFile(errLog(folder), "utf8").catch(() => "");
    attach.onEnded(live, { ...(exit.how === "recorded" ? { code: exit.code } : {}), stderr });
  }
}
