import type { Registry } from "../claude/registry.ts";
import type { RequestId, SessionId, ThreadId } from "../core/ids.ts";
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
    /** The answer to this request is written: it goes to the session that asked. */
    answer(requestId: RequestId): void;
    /** The progress of this session's turn may have changed. */
    progress(sessionId: SessionId): void;
    /** This request waits without a card: the owner's program is to be asked, or the card shown if there is none. */
    hook(requestId: RequestId): void;
  };
};

/** The project of a thread: its session's, or the chosen one, as long as it is configured; else the default. */
export function projectOf(desk: Pick<Desk, "config" | "store">, threadId: ThreadId): Project {
  const thread = desk.store.threads.get(threadId);
  const session = thread.sessionId === undefined ? undefined : desk.store.sessions.get(thread.sessionId);
  const project = session?.project ?? thread.project;
  return (
    (project !== undefined ? desk.config.projects.get(project) : undefined) ?? desk.config.defaultProject
  );
}
