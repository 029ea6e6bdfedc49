import type { RequestId, SessionId } from "../core/ids.ts";
import type { Stdin } from "./stdin.ts";

export type Registry = ReturnType<typeof createRegistry>;

/** The two maps by which an answer finds its way: session → stdin, request → session. Rebuilt from the store at start. */
export function createRegistry() {
  const stdins = new Map<SessionId, Stdin>();
  const sessions = new Map<RequestId, SessionId>();

  return {
    attach(sessionId: SessionId, stdin: Stdin): void {
      stdins.set(sessionId, stdin);
    },
    detach(sessionId: SessionId, stdin: Stdin): void {
      if (stdins.get(sessionId) === stdin) stdins.delete(sessionId);
    },
    stdinOf: (sessionId: SessionId): Stdin | undefined => stdins.get(sessionId),
    asked(requestId: RequestId, sessionId: SessionId): void {
      sessions.set(requestId, sessionId);
    },
    over(requestId: RequestId): void {
      sessions.delete(requestId);
    },
    sessionOf: (requestId: RequestId): SessionId | undefined => sessions.get(requestId),
    /** Sends what is written for the session that asked this; false when it is not live. */
    deliver(requestId: RequestId): boolean {
      const sessionId = sessions.get(requestId);
      const stdin = sessionId === undefined ? undefined : stdins.get(sessionId);
      stdin?.wake();
      return stdin !== undefined;
    },
    size: () => ({ sessions: stdins.size, requests: sessions.size }),
  };
}
