import type { Registry } from "../claude/registry.ts";
import type { ProcessId, SessionId, ThreadId } from "../core/ids.ts";
import type { Store } from "../store/store.ts";
import type { Config, Project } from "./config.ts";
import type { Log } from "./log.ts";
import type { Presenter } from "./present.ts";

/**
 * What every part of the app works with. A wake is advice: the rows say what is to be done, and a wake that is lost or
 * doubled changes nothing. Wakes take effect after the running transaction.
 */
export type Desk = {
  config: Config;
  store: Store;
  log: Log;
  clock: () => number;
  present: Presenter;
  registry: Registry;
  wake: {
    /** Something is to be written to this session's process, or a process is to be started for it. */
    session(sessionId: SessionId): void;
    /** The progress of this session's turn may have changed. */
    progress(sessionId: SessionId): void;
  };
  /** A control request of ours was written; a process that does not reply to it is broken. */
  expectReply(processId: ProcessId, wireId: string): void;
};

/** The project of a thread: the chosen one while it is still configured, else the default. */
export function projectOf(desk: Pick<Desk, "config" | "store">, threadId: ThreadId): Project {
  const { project } = desk.store.threads.get(threadId);
  return (
    (project !== undefined ? desk.config.projects.get(project) : undefined) ?? desk.config.defaultProject
  );
}
