import type { AgentEvent } from "../core/agent-event.ts";
import type { Session } from "../store/sessions.ts";
import type { Desk } from "./desk.ts";

/** A login that the API refuses is retried for minutes all the same; the person can mend it now, so they are told now. */
export function tellRetry(desk: Desk, session: Session, event: AgentEvent & { kind: "retrying" }): void {
  if (event.attempt !== 1 || (event.status !== 401 && event.status !== 403)) return;
  desk.present.show(
    session.threadId,
    {
      kind: "notice",
      tone: "error",
      text: `The API refuses Claude's login (${event.status}). ${LOGIN_REMEDY} Claude goes on trying for a while; /cancel stops it.`,
    },
    { lane: "request" },
  );
}

/** What to do about a login, in one sentence. */
export const LOGIN_REMEDY =
  "On your machine run claude, type /login, and write here again. If you pay by API key, check it in [claude.env].";
