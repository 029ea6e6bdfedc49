import type { SessionId, ThreadId } from "../core/ids.ts";
import type { Session } from "../store/sessions.ts";
import type { Desk } from "./desk.ts";
import { projectOf } from "./desk.ts";
import { shortId, uuid } from "./new-id.ts";

/** The session of a thread; the first prompt makes one. */
export function ensureSession(desk: Desk, threadId: ThreadId): Session {
  const thread = desk.store.threads.get(threadId);
  const bound = thread.sessionId === undefined ? undefined : desk.store.sessions.get(thread.sessionId);
  // A session of a project that was taken out of the config has nowhere to go on.
  if (bound !== undefined && desk.config.projects.has(bound.project)) return bound;
  if (bound !== undefined) desk.store.threads.bind(threadId, undefined);
  const session = desk.store.sessions.add(
    { id: shortId<SessionId>(), threadId, project: projectOf(desk, threadId).name, claudeId: uuid() },
    desk.clock(),
  );
  desk.store.threads.bind(threadId, session.id);
  return session;
}

/** The session of a thread, if it has one. */
export function sessionOf(desk: Desk, threadId: ThreadId): Session | undefined {
  const { sessionId } = desk.store.threads.get(threadId);
  return sessionId === undefined ? undefined : desk.store.sessions.get(sessionId);
}
