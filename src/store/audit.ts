import type { RequestId, SessionId, ThreadId } from "../core/ids.ts";
import type { Db } from "./database.ts";

/** Who decided what, when, by which rule; also what was decided without a person. */
export type AuditEntry = {
  at: number;
  /** A person's name, or `policy`, `plan gate`, `claude`. */
  who: string;
  whoId?: number;
  what:
    | "allow"
    | "deny"
    | "answer"
    | "pause"
    | "discuss"
    | "withdrawn"
    | "ended"
    | "trust"
    | "distrust"
    | "enable";
  tool?: string;
  /** One line about what it was for; never a whole input. */
  subject?: string;
  rule?: string;
  threadId?: ThreadId;
  sessionId?: SessionId;
  requestId?: RequestId;
};

type Row = {
  at: number;
  who: string;
  who_id: number | null;
  what: AuditEntry["what"];
  tool: string | null;
  subject: string | null;
  rule: string | null;
  thread_id: ThreadId | null;
  session_id: SessionId | null;
  request_id: RequestId | null;
};

/** The audit log; the database itself refuses to change or delete a row. */
export function auditRows(db: Db) {
  const insert = db.prepare(
    "INSERT INTO audit (at, who, who_id, what, tool, subject, rule, thread_id, session_id, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const newest = db.prepare<[number], Row>("SELECT * FROM audit ORDER BY id DESC LIMIT ?");

  return {
    add(entry: AuditEntry): void {
      insert.run(
        entry.at,
        entry.who,
        entry.whoId ?? null,
        entry.what,
        entry.tool ?? null,
        entry.subject ?? null,
        entry.rule ?? null,
        entry.threadId ?? null,
        entry.sessionId ?? null,
        entry.requestId ?? null,
      );
    },
    newest: (count: number): AuditEntry[] => newest.all(count).map(toEntry),
  };
}

function toEntry(row: Row): AuditEntry {
  return {
    at: row.at,
    who: row.who,
    what: row.what,
    ...(row.who_id === null ? {} : { whoId: row.who_id }),
    ...(row.tool === null ? {} : { tool: row.tool }),
    ...(row.subject === null ? {} : { subject: row.subject }),
    ...(row.rule === null ? {} : { rule: row.rule }),
    ...(row.thread_id === null ? {} : { threadId: row.thread_id }),
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
  };
}
