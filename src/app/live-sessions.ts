import type { SessionId } from "../core/ids.ts";
import type { Work } from "../core/work.ts";

/** The live side of sessions, as commands and taps need it besides the rows. */
export type LiveSessions = {
  end(sessionId: SessionId): void;
  endWhenUnused(sessionId: SessionId): void;
  workOf(sessionId: SessionId): Work | undefined;
};
