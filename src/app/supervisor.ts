import { endSession } from "../claude/frames.ts";
import { killMarked } from "../claude/marked.ts";
import { claudeEnv } from "../claude/options.ts";
import { removeFolder } from "../claude/process-folder.ts";
import { stopProcess } from "../claude/stop.ts";
import type { ProcessId, SessionId } from "../core/ids.ts";
import { isIdle, type Work } from "../core/work.ts";
import type { Ending, Process } from "../store/processes.ts";
import type { Session } from "../store/sessions.ts";
import { postponeReplies, sendControl } from "./control.ts";
import type { Desk } from "./desk.ts";
import { type Folded, nothingYet } from "./ingest.ts";
import { attachProcess, type LiveProcess } from "./live-process.ts";
import { settleEnd } from "./process-end.ts";
import { DISK_IS_LOW, feed, isDiskLow, type StartedProcess, startProcess } from "./start-process.ts";
import { settleStartFailure } from "./stopped-turn.ts";
import type { Tasks } from "./tasks.ts";
import { isTrusted } from "./trust.ts";

const STDIN_RETRY_MS = 5_000;
/** Ticks come twice a second; a longer pause means that the machine slept. */
const SLEPT_MS = 10_000;

export type Supervisor = ReturnType<typeof createSupervisor>;

/** Keeps one live process a session: starts it when a prompt waits, feeds it, reads it, ends it when it idles. */
export function createSupervisor(
  desk: Desk,
  options: {
    instance: string;
    command: readonly [string, ...string[]];
    parentEnv: NodeJS.ProcessEnv;
    tasks: Tasks;
  },
) {
  const { store } = desk;
  const live = new Map<ProcessId, LiveProcess>();
  const tending = new Set<SessionId>();
  const again = new Set<SessionId>();
  const endSoon = new Set<SessionId>();
  let tickedAt = desk.clock();
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
    const process = store.processes.liveOf(sessionId);
    // What is written for it already goes out in any case: answers, and the polite request to end.
    desk.registry.stdinOf(sessionId)?.wake();
    const session = store.sessions.get(sessionId);
    const isCurrent = store.threads.get(session.threadId).sessionId === sessionId;
    // An ending process gets no more prompts; its end wakes this session again.
    if (process?.state === "ending" || !isCurrent) return;
    if (store.prompts.inThread(session.threadId, "queued").length === 0) return;
    if (process === undefined) return start(session);
    if (!(await mayGoOn(session, process))) return;
    if (await isDiskLow(desk.config.stateDir)) {
      store.transaction(() => settleStartFailure(desk, session, { ok: false, message: DISK_IS_LOW }));
      return;
    }
    store.transaction(() => feed(desk, process));
    desk.registry.stdinOf(sessionId)?.wake();
  }

  /**
   * Claude takes up changed hooks while it runs, so a folder that is no longer what its owner trusted gets no prompt: the
   * process ends, and the next one starts without them. In the middle of a turn that has to wait for the turn's end.
   */
  async function mayGoOn(session: Session, process: Process): Promise<boolean> {
    const project = desk.config.projects.get(session.project);
    if (!process.trusted || project === undefined) return true;
    const env = claudeEnv(options.parentEnv, desk.config.claude);
    if (await isTrusted(desk, project, session.threadId, env)) return true;
    if (live.get(process.id)?.reading.work.turn === undefined) end(session.id);
    return false;
  }

  async function start(session: Session): Promise<void> {
    const started = await startProcess(desk, session, options).catch((error: unknown) =>
      failedToStart(session, error),
    );
    if (started.ok) {
      attach(started.process, nothingYet);
      return;
    }
    if ("unneeded" in started) return;
    desk.log.error("claude.not_started", { session: session.id, why: started.message });
    store.transaction(() => settleStartFailure(desk, session, started));
  }

  /** Something broke on the way, as a disk that cannot be written to. Whatever was started of it must not run on unseen. */
  async function failedToStart(session: Session, error: unknown) {
    desk.log.error("claude.start_failed", { session: session.id, error });
    const process = store.processes.liveOf(session.id);
    if (process !== undefined) await killMarked(options.instance, (found) => found.session === process.id);
    const message = "Claude could not be started; the log says why. Try again in a moment.";
    return { ok: false as const, message, ...(process === undefined ? {} : { process }) };
  }

  /** Takes up a process that runs: one just started, or one that outlived the last bot. */
  function attach(process: StartedProcess, folded: Folded): void {
    // We are going; the next bot finds the row and takes it up.
    if (closed) return;
    const attached = attachProcess(desk, {
      instance: options.instance,
      process,
      folded,
      onEnded: (ended, end) => options.tasks.run("supervisor.ended", () => buried(ended, end)),
      onStdinFailure: (broken, message) => stdinFailed(broken, message),
    });
    live.set(process.id, attached);
    desk.registry.attach(process.sessionId, attached.stdin);
    // It was being ended when the last bot died, or while it started: nobody is left who would see to that.
    if (store.processes.get(process.id).state === "ending") stop(process);
  }

  async function buried(ended: LiveProcess, end: { code?: number; stderr: string }): Promise<void> {
    live.delete(ended.id);
    endSoon.delete(ended.sessionId);
    desk.registry.detach(ended.sessionId, ended.stdin);
    const { folder } = store.processes.get(ended.id);
    // First what matters to people; what is left to tidy may fail, and is done again at the next start.
    store.transaction(() => settleEnd(desk, store.processes.get(ended.id), end, ended.reading.work));
    desk.wake.session(ended.sessionId);
    // What it started may have sessions of its own, and would outlive it.
    await killMarked(options.instance, (found) => found.session === ended.id);
    await removeFolder(folder);
    store.processes.folderRemoved(ended.id);
  }

  function stdinFailed(process: LiveProcess, message: string): void {
    desk.log.error("claude.stdin_failed", { process: process.id, message });
    // Nothing is lost: the log's own size says where to go on.
    setTimeout(() => process.stdin.wake(), STDIN_RETRY_MS).unref();
  }

  /** Ends a session's process politely, then by force. The end itself is noticed by whoever watches it. */
  function end(sessionId: SessionId, why: Ending = "wanted"): void {
    const process = store.processes.liveOf(sessionId);
    if (process === undefined) return;
    store.transaction(() => {
      if (process.state !== "ending") sendControl(desk, process, "end_session", endSession);
      store.processes.ending(process.id, why);
    });
    // After the caller's transaction: a process must not die for rows that were rolled back.
    setImmediate(() =>
      options.tasks.run("supervisor.end", async () => {
        const current = closed ? undefined : store.processes.get(process.id);
        if (current?.state === "ending") stop(current);
      }),
    );
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
    const slept = now - tickedAt > SLEPT_MS;
    tickedAt = now;
    if (slept) postponeReplies(desk);
    for (const processId of store.awaited.overdue(now)) endBroken(processId);
    const idleMs = desk.config.claude.idleMinutes * 60_000;
    for (const process of live.values()) {
      const patience = endSoon.has(process.sessionId) ? 0 : idleMs;
      if (now - process.activeAt >= patience && isUnused(process)) end(process.sessionId);
    }
  }

  /** Claude owes a reply for too long: the channel is broken, and only a new process helps. */
  function endBroken(processId: ProcessId): void {
    store.awaited.forget(processId);
    const process = store.processes.get(processId);
    if (process.state !== "running") return;
    desk.log.error("claude.no_reply", { process: processId });
    end(process.sessionId, "broken");
  }

  /** Ending it would lose nothing: nothing runs, nothing waits, nothing is on its way. */
  function isUnused(process: LiveProcess): boolean {
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
    },
    workOf(sessionId: SessionId): Work | undefined {
      return [...live.values()].find((process) => process.sessionId === sessionId)?.reading.work;
    },
    /** Lets go of every process; they live on, and the next bot takes them up. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...live.values()].map((process) => process.release({ flushMs: 2_000 })));
    },
    liveCount: () => live.size,
  };
}
