import type { RequestId, SessionId, ThreadId } from "../core/ids.ts";
import { maskSecrets } from "../core/mask.ts";
import type { Db } from "./database.ts";

/** Who decided what, when, by which rule; also what was decided without a person. */
export type AuditEntry = {
  at: number;
  /** A person's name, or `policy`, `hook`, `expiry`, `claude`. */
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
    | "enable"
    /** A person had shown to them what a card hides. */
    | "reveal";
  tool?: string;
  /** One line about what it was for; never a whole input. */
  subject?: string;
  rule?: string;
  threadId?: ThreadId;
  sessionId?: SessionId;
  requestId?: RequestId;
};

/** An entry with the project it was about. */
export type AuditLine = AuditEntry & { project?: string };

/** Which entries: of one chat, of one project, of one tool; null leaves it open. */
export type AuditFilter = { chatId: number | null; project: string | null; tool: string | null };

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
  project: string | null;
};

/** The audit log; the database itself refuses to change or delete a row. */
export function auditRows(db: Db) {
  const insert = db.prepare(
    "INSERT INTO audit (at, who, who_id, what, tool, subject, rule, thread_id, session_id, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  // People write the names of tools as they come, so their case does not count.
  const newest = db.prepare<[AuditFilter & { count: number }], Row>(
    `SELECT audit.*, sessions.project FROM audit
     LEFT JOIN sessions ON sessions.id = audit.session_id LEFT JOIN threads ON threads.id = audit.thread_id
     WHERE ($chatId IS NULL OR threads.chat_id = $chatId) AND ($project IS NULL OR sessions.project = $project)
       AND ($tool IS NULL OR audit.tool = $tool COLLATE NOCASE)
     ORDER BY audit.id DESC LIMIT $count`,
  );
  const name = db.prepare<[number], { who: string }>(
    "SELECT who FROM audit WHERE who_id = ? ORDER BY id DESC LIMIT 1",
  );

  return {
    add(entry: AuditEntry): void {
      insert.run(
        entry.at,
        entry.who,
        entry.whoId ?? null,
        entry.what,
        entry.tool ?? null,
        masked(entry.subject),
        masked(entry.rule),
        entry.threadId ?? null,
        entry.sessionId ?? null,
        entry.requestId ?? null,
      );
    },
    /** The newest entries, the newest first. */
    newest: (count: number, filter: Partial<AuditFilter> = {}): AuditLine[] =>
      newest.all({ count, chatId: null, project: null, tool: null, ...filter }).map(toEntry),
    /** What a person was called when they last decided something. */
    nameOf: (personId: number): string | undefined => name.get(personId)?.who,
  };
}

/** What cannot be deleted must hold no secret to begin with. */
function masked(text: string | undefined): string | null {
  return text === undefined ? null : maskSecrets(text).text;
}

function toEntry(row: Row): AuditLine {
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
    ...(row.project === null ? {} : { project: row.project }),
  };
}
