import type { CardId, ThreadId } from "../core/ids.ts";
import { type Lane, lanes } from "../core/lane.ts";
import type { Db } from "./database.ts";
import { dispatchRows } from "./outbox-dispatch.ts";

/** Something new for a thread. Rows of one `batch` go out together, in the order in which they were written. */
export type NewRow = {
  threadId: ThreadId;
  lane: Lane;
  payload: string;
  batch?: string;
  /** Goes out no earlier than this. */
  notBefore?: number;
};

/**
 * What is to be said to Telegram, in rows that outlive us. These functions only write, so that the caller can put them
 * into the transaction of what they tell about; the rest is for the sender. Payloads are opaque here.
 */
export function createOutbox(db: Db) {
  const insert = db.prepare<[string, string | null, number, string | null, string, string, number, number]>(
    `INSERT INTO outbox (thread_id, card_id, lane, batch, op, payload, state, not_before, created_at)
     VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, ?)`,
  );
  // The send and its edits never stand in the queue together, so at most one row is found. A part of an answer keeps
  // its lane: parts in different lanes would part.
  const rewrite = db.prepare<[string, number, string]>(
    `UPDATE outbox SET payload = ?, server_errors = 0, lane = iif(batch IS NULL, min(lane, ?), lane)
     WHERE card_id = ? AND state = 'queued' AND op IN ('send', 'edit')`,
  );
  // An edit needs a message, or one that is just being sent; a card whose send failed will never have one.
  const insertEdit = db.prepare<[number, string, number, string]>(
    `INSERT INTO outbox (thread_id, card_id, lane, op, payload, state, created_at)
     SELECT thread_id, id, ?, 'edit', ?, 'queued', ? FROM cards
     WHERE id = ? AND (message_id IS NOT NULL
       OR EXISTS (SELECT 1 FROM outbox o WHERE o.card_id = cards.id AND o.op = 'send' AND o.state = 'sending'))`,
  );
  const dropSend = db.prepare<[number, string]>(
    `UPDATE outbox SET state = 'dropped', error = 'over before it was shown', done_at = ?
     WHERE card_id = ? AND op = 'send' AND state = 'queued'`,
  );
  const dropEdits = db.prepare<[number, string]>(
    `UPDATE outbox SET state = 'dropped', error = 'the chat moved', done_at = ?
     WHERE thread_id = ? AND state = 'queued' AND op IN ('edit', 'react')`,
  );
  const unplaceCards = db.prepare<[string]>(
    "UPDATE cards SET message_id = NULL, shown = NULL WHERE thread_id = ?",
  );
  // A begun batch is known by its finished rows, so they stay until all of it is finished.
  const removeOld = db.prepare<[number]>(
    `DELETE FROM outbox WHERE state IN ('sent', 'failed', 'dropped') AND done_at < ?
     AND (batch IS NULL OR NOT EXISTS (SELECT 1 FROM outbox open
       WHERE open.batch = outbox.batch AND open.state IN ('queued', 'sending')))`,
  );

  function add(
    op: "send" | "document" | "react",
    row: NewRow,
    cardId: CardId | undefined,
    now: number,
  ): void {
    const { threadId, lane, batch, payload, notBefore } = row;
    insert.run(threadId, cardId ?? null, rank(lane), batch ?? null, op, payload, notBefore ?? 0, now);
  }

  return {
    ...dispatchRows(db),

    /** Queues a message; with a card, the message becomes the one that shows it. */
    send: (row: NewRow & { cardId?: CardId }, now: number): void => add("send", row, row.cardId, now),
    document: (row: NewRow, now: number): void => add("document", row, undefined, now),
    react: (row: NewRow, now: number): void => add("react", row, undefined, now),

    /** Makes a card say something else. What it was yet to say is replaced: only the newest is worth a call. */
    edit(change: { cardId: CardId; lane: Lane; payload: string }, now: number): void {
      const lane = rank(change.lane);
      if (rewrite.run(change.payload, lane, change.cardId).changes > 0) return;
      insertEdit.run(lane, change.payload, now, change.cardId);
    },

    /** Takes back a card that was never sent; false when it is out, or on its way. */
    takeBack: (cardId: CardId, now: number): boolean => dropSend.run(now, cardId).changes > 0,

    /** The thread moved to a chat with message ids of its own: its cards have no message until they are sent anew. */
    forgetMessages(threadId: ThreadId, now: number): void {
      dropEdits.run(now, threadId);
      unplaceCards.run(threadId);
    },

    /** Removes finished rows from before `before`. */
    prune: (before: number): number => removeOld.run(before).changes,
  };
}

function rank(lane: Lane): number {
  return lanes.indexOf(lane);
}
