import type { SessionId, ThreadId } from "../core/ids.ts";
import type { Db } from "./database.ts";

/** none: never started; tried: started, but nothing proves that Claude kept it; kept: it can be resumed. */
export type Conversation = "none" | "tried" | "kept";

/** One Claude conversation. */
export type Session = {
  id: SessionId;
  threadId: ThreadId;
  project: string;
  /** Claude's id for it, as the last message said: `/clear` changes it. */
  claudeId: string;
  conversation: Conversation;
  /** The permission mode last read back from Claude, or asked for by /planmode. */
  mode?: string;
  model?: string;
  costUsd: number;
};

type Row = {
  id: SessionId;
  thread_id: ThreadId;
  project: string;
  claude_id: string;
  conversation: Conversation;
  mode: string | null;
  model: string | null;
  cost: number;
  last_total: number;
};

/** Conversations with Claude: what to resume, in which mode, and what they have cost. */
export function sessionRows(db: Db) {
  const byId = db.prepare<[SessionId], Row>("SELECT * FROM sessions WHERE id = ?");
  const insert = db.prepare(
    "INSERT INTO sessions (id, thread_id, project, claude_id, created_at, used_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const latest = db.prepare<[ThreadId, string], Row>(
    "SELECT * FROM sessions WHERE thread_id = ? AND project = ? ORDER BY used_at DESC, rowid DESC LIMIT 1",
  );
  const setClaudeId = db.prepare(
    "UPDATE sessions SET claude_id = ?, conversation = 'tried' WHERE id = ? AND claude_id <> ?",
  );
  const setConversation = db.prepare("UPDATE sessions SET conversation = ? WHERE id = ?");
  const setMode = db.prepare("UPDATE sessions SET mode = ? WHERE id = ?");
  const setModel = db.prepare("UPDATE sessions SET model = ? WHERE id = ?");
  const touch = db.prepare("UPDATE sessions SET used_at = ? WHERE id = ?");
  const setCost = db.prepare("UPDATE sessions SET cost = cost + ?, last_total = ? WHERE id = ?");
  const total = db.prepare<[], { sum: number | null }>("SELECT sum(cost) AS sum FROM sessions");

  const get = (id: SessionId): Row => {
    const row = byId.get(id);
    if (row === undefined) throw new Error(`there is no session ${id}`);
    return row;
  };

  return {
    get: (id: SessionId): Session => toSession(get(id)),
    add(
      session: { id: SessionId; threadId: ThreadId; project: string; claudeId: string },
      now: number,
    ): Session {
      insert.run(session.id, session.threadId, session.project, session.claudeId, now, now);
      return { ...session, conversation: "none", costUsd: 0 };
    },
    latest(threadId: ThreadId, project: string): Session | undefined {
      const row = latest.get(threadId, project);
      return row && toSession(row);
    },
    /** Claude names the conversation; a new name has nothing to resume until a turn of it has ended. */
    named(id: SessionId, claudeId: string): void {
      setClaudeId.run(claudeId, id, claudeId);
    },
    setConversation(id: SessionId, conversation: Conversation): void {
      setConversation.run(conversation, id);
    },
    setMode(id: SessionId, mode: string): void {
      setMode.run(mode, id);
    },
    setModel(id: SessionId, model: string): void {
      setModel.run(model, id);
    },
    touch(id: SessionId, now: number): void {
      touch.run(now, id);
    },
    /** Turns Claude's running total into this turn's cost; a smaller total means that Claude started counting anew. */
    addTotal(id: SessionId, totalUsd: number): number {
      const last = get(id).last_total;
      const cost = totalUsd >= last ? totalUsd - last : totalUsd;
      setCost.run(cost, totalUsd, id);
      return cost;
    },
    totalCost: (): number => total.get()?.sum ?? 0,
  };
}

function toSession(row: Row): Session {
  return {
    id: row.id,
    threadId: row.thread_id,
    project: row.project,
    claudeId: row.claude_id,
    conversation: row.conversation,
    ...(row.mode === null ? {} : { mode: row.mode }),
    ...(row.model === null ? {} : { model: row.model }),
    costUsd: row.cost,
  };
}
