import { noWork } from "../core/work.ts";
import type { Session } from "../store/sessions.ts";
import { endRequests } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { closeTurn } from "./turns.ts";

/**
 * A thread turns away from a session: nothing of it may reach the thread's next one. What it was doing ends here and now,
 * in the caller's transaction; its process ends as soon as it can. True when something was running.
 */
export function leaveSession(desk: Desk, live: Pick<LiveSessions, "end">, session: Session): boolean {
  for (const state of ["sent", "taken"] as const) {
    for (const prompt of desk.store.prompts.inSession(session.id, state))
      desk.store.prompts.move(prompt.id, "cancelled");
  }
  const process = desk.store.processes.liveOf(session.id);
  if (process !== undefined) endRequests(desk, process.id, "the session was ended");
  const turn = desk.store.turns.openOf(session.id);
  if (turn !== undefined) closeTurn(desk, turn, "stopped", noWork);
  live.end(session.id);
  desk.store.threads.bind(session.threadId, undefined);
  return turn !== undefined;
}
