import type { CardId, ThreadId } from "../core/ids.ts";
import type { Db } from "./database.ts";

type Row = { id: CardId; thread_id: ThreadId; message_id: number | null; created_at: number };

/** A card and the message that shows it, once that was sent. */
export type Card = { id: CardId; threadId: ThreadId; messageId?: number; createdAt: number };

/** The cards: each names one Telegram message before, while and after it exists. */
export function createCards(db: Db) {
  const insert = db.prepare<[string, string, number]>(
    "INSERT INTO cards (id, thread_id, created_at) VALUES (?, ?, ?)",
  );
  const insertPlaced = db.prepare<[string, string, number, number]>(
    "INSERT INTO cards (id, thread_id, message_id, created_at) VALUES (?, ?, ?, ?)",
  );
  const byId = db.prepare<[CardId], Row>("SELECT * FROM cards WHERE id = ?");
  const byMessage = db.prepare<[ThreadId, number], Row>(
    "SELECT * FROM cards WHERE thread_id = ? AND message_id = ?",
  );

  return {
    create(card: { id: CardId; threadId: ThreadId }, now: number): void {
      insert.run(card.id, card.threadId, now);
    },
    /** A card for a message that is there already, as one that a send in doubt left behind. */
    adopt(card: { id: CardId; threadId: ThreadId; messageId: number }, now: number): void {
      insertPlaced.run(card.id, card.threadId, card.messageId, now);
    },
    get(id: CardId): Card | undefined {
      const row = byId.get(id);
      return row && toCard(row);
    },
    /** The card that a message of this thread shows, as when somebody replies to it. */
    byMessage(threadId: ThreadId, messageId: number): Card | undefined {
      const row = byMessage.get(threadId, messageId);
      return row && toCard(row);
    },
  };
}

function toCard(row: Row): Card {
  return {
    id: row.id,
    threadId: row.thread_id,
    ...(row.message_id === null ? {} : { messageId: row.message_id }),
    createdAt: row.created_at,
  };
}
