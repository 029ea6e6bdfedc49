import type { ProcessId } from "../core/ids.ts";
import type { Db } from "./database.ts";

/** What a control request of ours asked for. */
export type Awaited = "initialize" | "interrupt" | "end_session" | `mode ${string}`;

/** Replies that processes owe us. They are rows, so that a rollback forgets what was never sent, and a restart does not. */
export function awaitedRows(db: Db) {
  const insert = db.prepare("INSERT INTO awaited (process_id, wire_id, what, due_at) VALUES (?, ?, ?, ?)");
  const find = db.prepare<[ProcessId, string], { what: Awaited }>(
    "SELECT what FROM awaited WHERE process_id = ? AND wire_id = ?",
  );
  const remove = db.prepare("DELETE FROM awaited WHERE process_id = ? AND wire_id = ?");
  const removeAll = db.prepare("DELETE FROM awaited WHERE process_id = ?");
  const overdue = db.prepare<[number], { id: ProcessId }>(
    "SELECT DISTINCT process_id AS id FROM awaited WHERE due_at <= ?",
  );
  const postpone = db.prepare("UPDATE awaited SET due_at = max(due_at, ?)");

  return {
    add(processId: ProcessId, wireId: string, what: Awaited, dueAt: number): void {
      insert.run(processId, wireId, what, dueAt);
    },
    /** A reply came; what it was a reply to, or undefined when we did not wait for it. */
    replied(processId: ProcessId, wireId: string): Awaited | undefined {
      const row = find.get(processId, wireId);
      remove.run(processId, wireId);
      return row?.what;
    },
    forget(processId: ProcessId): void {
      removeAll.run(processId);
    },
    /** Processes that owe a reply for too long. */
    overdue: (now: number): ProcessId[] => overdue.all(now).map(({ id }) => id),
    /** Nobody read replies for a while: we were away, or the machine slept. */
    postpone(dueAt: number): void {
      postpone.run(dueAt);
    },
  };
}
