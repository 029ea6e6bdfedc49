import type { CardId, ProcessId, RequestId, SessionId, TurnId } from "../../src/core/ids.ts";
import { auditRows } from "../../src/store/audit.ts";
import type { Db } from "../../src/store/database.ts";
import { metaRows } from "../../src/store/meta.ts";
import { type Process, processRows } from "../../src/store/processes.ts";
import { promptRows } from "../../src/store/prompts.ts";
import { type Request, requestRows } from "../../src/store/requests.ts";
import { sessionRows } from "../../src/store/sessions.ts";
import { trustRows } from "../../src/store/trust.ts";
import { type Turn, turnRows } from "../../src/store/turns.ts";
import { anAsk } from "../core/an-ask.ts";
import { tempStore } from "../support/temp-store.ts";

export const process1 = "process-1" as ProcessId;
export const process2 = "process-2" as ProcessId;

/** A store with a thread and a session in it, and short ways to add what hangs on them. */
export function aSession() {
  const store = tempStore();
  const rows = rowsOf(store.db);
  const home = store.thread("home", 1);
  const addSession = (name: string, project = "web", now = 0): SessionId =>
    rows.sessions.add({ id: name as SessionId, threadId: home, project, claudeId: `claude-${name}` }, now).id;
  const session = addSession("session-1");

  return {
    ...store,
    ...rows,
    home,
    session,
    addSession,
    addProcess: (id: ProcessId, sessionId = session): Process =>
      rows.processes.add({ id, sessionId, folder: `/state/${id}`, opened: "fresh", trusted: false }, 10),
    addTurn: (name: string, sessionId = session, now = 10): Turn =>
      rows.turns.add(
        { id: name as TurnId, threadId: home, sessionId, origin: "prompt", cardId: `card-${name}` as CardId },
        now,
      ),
    addRequest: (name: string, processId = process1, now = 10): Request =>
      rows.requests.add(
        {
          id: name as RequestId,
          threadId: home,
          sessionId: session,
          processId,
          ask: anAsk({ wireId: `wire-${name}` }),
          detail: { kind: "tool", armed: false },
        },
        now,
      ),
    /** The same rows as a bot sees them that starts anew. */
    restart: () => rowsOf(store.reopen().db),
  };
}

function rowsOf(db: Db) {
  return {
    db,
    sessions: sessionRows(db),
    processes: processRows(db),
    prompts: promptRows(db),
    turns: turnRows(db),
    requests: requestRows(db),
    audit: auditRows(db),
    trust: trustRows(db),
    meta: metaRows(db),
  };
}
