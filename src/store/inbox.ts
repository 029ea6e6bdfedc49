import type { Db } from "./database.ts";
import { metaRows } from "./meta.ts";

/** An update as it came, unread. */
export type ReceivedUpdate = { updateId: number; body: string };

/**
 * The updates we received, each a row before it is confirmed to Telegram, so that a redelivery changes nothing.
 * No offset is kept here: at start the poller asks for all that is unconfirmed. A stored offset could be older than
 * Telegram's new numbering and would gain nothing, because confirmed updates are not delivered again anyway.
 */
export function createInbox(db: Db) {
  const insert = db.prepare<[number, string, number]>(
    "INSERT OR IGNORE INTO inbox (update_id, body, state, received_at) VALUES (?, ?, 'new', ?)",
  );
  const meta = metaRows(db);
  const next = db.prepare<[], ReceivedUpdate>(
    "SELECT update_id AS updateId, body FROM inbox WHERE state = 'new' ORDER BY seq LIMIT 1",
  );
  const end = db.prepare<[string, string | null, number, number]>(
    "UPDATE inbox SET state = ?, error = ?, done_at = ? WHERE update_id = ? AND state = 'new'",
  );
  // The newest batch is what Telegram may deliver again, so its rows stay whatever the clock says.
  const removeOld = db.prepare<[number]>(
    "DELETE FROM inbox WHERE state <> 'new' AND done_at < ? AND received_at < (SELECT max(received_at) FROM inbox)",
  );

  const recordAll = db.transaction((updates: readonly ReceivedUpdate[], now: number) => {
    let fresh = 0;
    for (const update of updates) fresh += insert.run(update.updateId, update.body, now).changes;
    meta.set("last_poll_at", String(now));
    return fresh;
  });

  return {
    /** Writes what one poll brought, and that it was answered; returns how many updates were new. */
    record: (updates: readonly ReceivedUpdate[], now: number): number => recordAll.immediate(updates, now),
    /** The oldest update nobody has handled yet. */
    nextNew: (): ReceivedUpdate | undefined => next.get(),
    finish(updateId: number, now: number): void {
      end.run("done", null, now, updateId);
    },
    /** The update could not be handled; it stands alone and is not tried again. */
    fail(updateId: number, error: string, now: number): void {
      end.run("failed", error, now, updateId);
    },
    /** When Telegram last answered a poll; taps made long after it have been forgotten there. */
    lastPollAt(): number | undefined {
      const value = meta.get("last_poll_at");
      return value === undefined ? undefined : Number(value);
    },
    /** Forgets handled updates from before `before`, which must lie days back: Telegram redelivers for one day. */
    prune: (before: number): number => removeOld.run(before).changes,
  };
}
