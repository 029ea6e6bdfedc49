import { createHash } from "node:crypto";
import type { CardId, ThreadId } from "../core/ids.ts";
import { type Lane, lanes } from "../core/lane.ts";
import type { Db } from "./database.ts";
import { nextInLine, type OpenRow } from "./outbox-order.ts";

/** A row that may go out now. */
export type Candidate = { id: number; threadId: ThreadId; cardId: CardId | null; lane: Lane };

/** A row on its way to Telegram; an edit has the id of the message it changes. */
export type ClaimedRow = Candidate & { op: OpenRow["op"]; payload: string; messageId: number | null };

type StoredRow = Omit<ClaimedRow, "lane"> & { lane: number; shown: string | null };

/** The sender's half of the outbox: what may go next, and what became of it. */
export function dispatchRows(db: Db) {
  const openRows = db.prepare<[], OpenRow & Omit<Candidate, "lane">>(
    `SELECT o.id, o.thread_id AS threadId, o.card_id AS cardId, o.lane, o.batch, o.op, o.state,
       o.not_before AS notBefore, o.server_errors AS serverErrors, c.message_id IS NOT NULL AS placed,
       o.batch IS NOT NULL AND EXISTS (SELECT 1 FROM outbox part
         WHERE part.batch = o.batch AND part.state NOT IN ('queued', 'sending')) AS begun
     FROM outbox o LEFT JOIN cards c ON c.id = o.card_id
     WHERE o.state IN ('queued', 'sending') ORDER BY o.lane, o.id`,
  );
  const due = db
    .prepare<[number], number | null>(
      "SELECT min(not_before) FROM outbox WHERE state IN ('queued', 'sending') AND not_before > ?",
    )
    .pluck();
  const countUrgent = db
    .prepare<[number], number>(
      "SELECT count(*) FROM outbox WHERE state IN ('queued', 'sending') AND lane < 2 AND not_before <= ?",
    )
    .pluck();
  const one = db.prepare<[number], StoredRow>(
    `SELECT o.id, o.thread_id AS threadId, o.card_id AS cardId, o.lane, o.op, o.payload,
       c.message_id AS messageId, c.shown
     FROM outbox o LEFT JOIN cards c ON c.id = o.card_id WHERE o.id = ?`,
  );
  const sendingIds = db
    .prepare<[], number>(
      "SELECT id FROM outbox WHERE state IN ('queued', 'sending') AND state = 'sending' ORDER BY id",
    )
    .pluck();
  const start = db.prepare<[number]>("UPDATE outbox SET state = 'sending' WHERE id = ? AND state = 'queued'");
  const end = db.prepare<[string, string | null, number, number]>(
    "UPDATE outbox SET state = ?, error = ?, done_at = ? WHERE id = ?",
  );
  const requeue = db.prepare<[number, number]>(
    "UPDATE outbox SET state = 'queued', server_errors = server_errors + ? WHERE id = ?",
  );
  const setShown = db.prepare<[string | null, number | null, string]>(
    "UPDATE cards SET shown = ?, message_id = coalesce(?, message_id) WHERE id = ?",
  );
  const queuedEdit = db.prepare<[string], { id: number; payload: string; lane: number }>(
    "SELECT id, payload, lane FROM outbox WHERE card_id = ? AND op = 'edit' AND state = 'queued'",
  );
  const takeOver = db.prepare<[string, number, number]>(
    "UPDATE outbox SET payload = ?, server_errors = 0, lane = iif(batch IS NULL, min(lane, ?), lane) WHERE id = ?",
  );

  const claim = db.transaction((id: number, now: number): ClaimedRow | undefined => {
    const row = existing(id);
    if (row.op === "edit" && row.shown === fingerprint(row.payload)) {
      end.run("dropped", "the card says this already", now, id);
      return undefined;
    }
    if (start.run(id).changes === 0) throw new Error(`Outbox row ${id} is not in the queue.`);
    // From here on nobody can know what the message says, until Telegram has answered.
    if (row.cardId !== null) setShown.run(null, null, row.cardId);
    const { shown: _, lane, ...rest } = row;
    return { ...rest, lane: laneAt(lane) };
  });

  const sent = db.transaction((id: number, now: number, messageId?: number) => {
    const row = existing(id);
    end.run("sent", null, now, id);
    if (row.cardId !== null) setShown.run(fingerprint(row.payload), messageId ?? null, row.cardId);
  });

  const retry = db.transaction((id: number, now: number, blame?: "server"): void => {
    const row = existing(id);
    if (row.op === "edit" && row.messageId === null) {
      end.run("dropped", "the message is gone", now, id);
      return;
    }
    const newer = row.cardId === null ? undefined : queuedEdit.get(row.cardId);
    requeue.run(blame === "server" ? 1 : 0, id);
    if (newer === undefined) return;
    takeOver.run(newer.payload, newer.lane, id);
    end.run("dropped", `said by row ${id}`, now, newer.id);
  });

  const failed = db.transaction((id: number, error: string, now: number): void => {
    const row = existing(id);
    end.run("failed", error, now, id);
    if (row.op !== "send" || row.cardId === null || row.messageId !== null) return;
    const waiting = queuedEdit.get(row.cardId);
    if (waiting !== undefined) end.run("failed", error, now, waiting.id);
  });

  const recover = db.transaction((now: number): number => {
    const inDoubt = sendingIds.all();
    for (const id of inDoubt) retry(id, now);
    return inDoubt.length;
  });

  function existing(id: number): StoredRow {
    const row = one.get(id);
    if (row === undefined) throw new Error(`Outbox row ${id} does not exist.`);
    return row;
  }

  return {
    /** Once at start: what was being sent when we died is in doubt and goes out again. Returns how many rows that was. */
    recover: (now: number): number => recover.immediate(now),

    /** What may go out now, the most urgent first; see `nextInLine` for the order. */
    candidates: (now: number): Candidate[] =>
      nextInLine(openRows.all(), now).map(({ id, threadId, cardId, lane }) => {
        return { id, threadId, cardId, lane: laneAt(lane) };
      }),

    /** When the next row that is scheduled for later becomes due. */
    nextDue: (now: number): number | undefined => due.get(now) ?? undefined,

    /** How many requests and answers are due and not out yet. */
    urgent: (now: number): number => countUrgent.get(now) ?? 0,

    /** Marks a row as being sent before the call is made; undefined for an edit that would change nothing. */
    claim: (id: number, now: number): ClaimedRow | undefined => claim.immediate(id, now),

    /** Telegram took it; a send brings the id of the message that now shows the card. */
    sent: (id: number, now: number, messageId?: number): void => sent.immediate(id, now, messageId),

    /** Back into the queue, at its old place; if the card has something newer to say by now, with that. */
    retry: (id: number, now: number, blame?: "server"): void => retry.immediate(id, now, blame),

    /** Telegram will never take it; edits that wait for this card's message fail with it. */
    failed: (id: number, error: string, now: number): void => failed.immediate(id, error, now),

    /** Nothing is lost by not sending it. */
    dropped(id: number, why: string, now: number): void {
      end.run("dropped", why, now, id);
    },
  };
}

function laneAt(rank: number): Lane {
  const lane = lanes[rank];
  if (lane === undefined) throw new Error(`There is no lane ${rank}.`);
  return lane;
}

function fingerprint(payload: string): string {
  return createHash("sha256").update(payload).digest("base64");
}
