import { endSession } from "../claude/frames.ts";
import { killMarked } from "../claude/marked.ts";
import { removeFolder } from "../claude/process-folder.ts";
import { stopProcess } from "../claude/stop.ts";
import type { AgentEvent } from "../core/agent-event.ts";
import type { ProcessId, SessionId } from "../core/ids.ts";
import { isIdle, type Work } from "../core/work.ts";
import type { Process } from "../store/processes.ts";
import { sendControl } from "./control.ts";
import type { Desk } from "./desk.ts";
import { type Folded, nothingYet } from "./ingest.ts";
import { attachProcess, type LiveProcess } from "./live-process.ts";
import { settleEnd } from "./process-end.ts";
import { feed, type StartedProcess, startProcess } from "./start-process.ts";
import { settleStartFailure, settleStopped } from "./stopped-turn.ts";

/** No reply for so long means a broken channel; a first start on a busy machine is given more. */
const REPLY_MS = 30_000;
const FIRST_REPLY_MS = 120_000;
const STDIN_RETRY_MS = 5_000;

export type Supervisor = ReturnType<typeof createSupervisor>;

/** Keeps one live process a session: starts it when a prompt waits, feeds it, reads it, ends it when it idles. */
export function createSupervisor(
  desk: Desk,
  options: {
    instance: string;
    command: readonly [string, ...string[]];
    parentEnv: NodeJS.ProcessEnv;
    tasks: { run(name: string, work: () => Promise<void>): void };
  },
) {
  const live = new Map<ProcessId, LiveProcess>();
  const due = new Map<ProcessId, Map<string, number>>();
  const tending = new Set<SessionId>();
  const again = new Set<SessionId>();
  const endSoon = new Set<SessionId>();
  let closed = false;

  /** Does what the rows say for this session. One at a time; a wake in between makes it look once more. */
  function tend(sessionId: SessionId): void {
    if (closed) return;
    if (tending.has(sessionId)) {
      again.add(sessionId);
      return;
    }
    tending.add(sessionId);
    options.tasks.run("supervisor.tend", async () => {
      try {
        await tendOnce(sessionId);
      } finally {
        tending.delete(sessionId);
        if (again.delete(sessionId)) tend(sessionId);
      }
    });
  }

  async function tendOnce(sessionId: SessionId): Promise<void> {
    const session = desk.store.sessions.get(sessionId);
    const process = desk.store.processes.liveOf(sessionId);
    // An ending process gets nothing more; its end wakes this session again.
    if (process?.state === "ending") return;
    if (process !== undefined) {
      desk.store.transaction(() => feed(desk, process));
      live.get(process.id)?.stdin.wake();
      return;
    }
    const isCurrent = desk.store.threads.get(session.threadId).sessionId === sessionId;
    if (!isCurrent || desk.store.prompts.inThread(session.threadId, "queued").length === 0) return;
    const started = await startProcess(desk, session, options);
    if (started.ok) {
      attach(started.process, nothingYet);
      // It may have been ended while it started; nobody could be told then.
      if (desk.store.processes.get(started.process.id).state === "ending") stop(started.process);
      return;
    }
    desk.log.error("claude.not_started", { session: sessionId, why: started.message });
    desk.store.transaction(() => settleStartFailure(desk, session, started));
  }

  /** Takes up a process that runs: one just started, or one that outlived the last bot. */
  function attach(process: StartedProcess, folded: Folded): void {
    const attached = attachProcess(desk, {
      instance: options.instance,
      process,
      folded,
      onEvents: heard,
      onEnded: (ended, end) => options.tasks.run("supervisor.ended", () => buried(ended, end)),
      onStdinFailure: (broken, message) => stdinFailed(broken, message),
    });
    live.set(process.id, attached);
    desk.registry.attach(process.sessionId, attached.stdin);
  }

  function heard(process: LiveProcess, events: AgentEvent[]): void {
    const waiting = due.get(process.id);
    for (const event of events) {
      // Claude echoes our answers to its own requests too; only replies to ours count.
      if (event.kind !== "replied" || !waiting?.delete(event.wireId)) continue;
      desk.store.transaction(() => settleStopped(desk, process.sessionId, process.reading.work));
    }
  }

  async function buried(ended: LiveProcess, end: { code?: number; stderr: string }): Promise<void> {
    const process = desk.store.processes.get(ended.id);
    // What it started may have sessions of its own, and would outlive it.
    await killMarked(options.instance, (found) => found.session === ended.id);
    live.delete(ended.id);
    due.delete(ended.id);
    endSoon.delete(ended.sessionId);
    desk.registry.detach(ended.sessionId, ended.stdin);
    desk.store.transaction(() => settleEnd(desk, process, end, ended.reading.work));
    await removeFolder(process.folder);
    desk.store.processes.folderRemoved(process.id);
    desk.wake.session(ended.sessionId);
  }

  function stdinFailed(process: LiveProcess, message: string): void {
    desk.log.error("claude.stdin_failed", { process: process.id, message });
    // Nothing is lost: the log's own size says where to go on.
    setTimeout(() => process.stdin.wake(), STDIN_RETRY_MS).unref();
  }

  /** Ends a session's process politely, then by force. The end itself is noticed by whoever watches it. */
  function end(sessionId: SessionId): void {
    const process = desk.store.processes.liveOf(sessionId);
    if (process === undefined) return;
    desk.store.transaction(() => {
      if (process.state !== "ending") sendControl(desk, process, endSession);
      desk.store.processes.ending(process.id);
    });
    // After the caller's transaction: a process must not die for rows that were rolled back.
    setImmediate(() => {
      const current = desk.store.processes.get(process.id);
      if (current.state === "ending") stop(current);
    });
  }

  function stop(process: Process): void {
    const { os } = process;
    if (os === undefined) return;
    options.tasks.run("supervisor.stop", async () => {
      const { took, left } = await stopProcess({
        ...os,
        marks: { instance: options.instance, session: process.id },
        askToEnd: () => live.get(process.id)?.stdin.wake(),
      });
      desk.log.info("claude.stopped", { process: process.id, took, left: left.length });
    });
  }

  /** Looks after what no event tells: idleness, replies that never come. */
  function tick(): void {
    const now = desk.clock();
    const idleMs = desk.config.claude.idleMinutes * 60_000;
    for (const process of live.values()) {
      if (isBroken(process.id, now)) {
        desk.log.error("claude.no_reply", { process: process.id });
        due.delete(process.id);
        stop(desk.store.processes.get(process.id));
        continue;
      }
      const patience = endSoon.has(process.sessionId) ? 0 : idleMs;
      if (now - process.activeAt >= patience && isUnused(process)) end(process.sessionId);
    }
  }

  function isBroken(processId: ProcessId, now: number): boolean {
    return [...(due.get(processId)?.values() ?? [])].some((deadline) => deadline <= now);
  }

  /** Ending it would lose nothing: nothing runs, nothing waits, nothing is on its way. */
  function isUnused(process: LiveProcess): boolean {
    const { store } = desk;
    if (store.processes.get(process.id).state === "ending") return false;
    if (!isIdle(process.reading.work, desk.clock()) || store.turns.openOf(process.sessionId) !== undefined)
      return false;
    return (
      store.requests.waitingOf(process.id).length === 0 &&
      store.prompts.ofProcess(process.id, "sent").length === 0
    );
  }

  return {
    tend,
    attach,
    end,
    tick,
    /** Ends it as soon as nothing is lost by it: the next prompt starts it under new rules. */
    endWhenUnused(sessionId: SessionId): void {
      endSoon.add(sessionId);
      tick();
    },
    workOf(sessionId: SessionId): Work | undefined {
      return [...live.values()].find((process) => process.sessionId === sessionId)?.reading.work;
    },
    expectReply(processId: ProcessId, wireId: string): void {
      const waiting = due.get(processId) ?? new Map<string, number>();
      const patience = waiting.size === 0 && !live.has(processId) ? FIRST_REPLY_MS : REPLY_MS;
      waiting.set(wireId, desk.clock() + patience);
      due.set(processId, waiting);
    },
    /** Lets go of every process; they live on, and the next bot takes them up. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...live.values()].map((process) => process.release({ flushMs: 2_000 })));
    },
    liveCount: () => live.size,
  };
}
