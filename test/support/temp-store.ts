import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CardId, ThreadId } from "../../src/core/ids.ts";
import { createCards } from "../../src/store/cards.ts";
import { type Db, openDatabase } from "../../src/store/database.ts";
import { createInbox } from "../../src/store/inbox.ts";
import { createOutbox } from "../../src/store/outbox.ts";
import { threadRows } from "../../src/store/threads.ts";

export type TempStore = ReturnType<typeof openRows>;

/** The rows of a real SQLite file that lives as long as the test; `reopen` is what a restart sees. */
export function tempStore(): TempStore & { reopen(): TempStore } {
  const folder = mkdtempSync(join(tmpdir(), "signoff-store-"));
  const file = join(folder, "signoff.db");
  let db = openDatabase(file);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  return {
    ...openRows(db),
    reopen() {
      // Closing a WAL file loses nothing and adds nothing: what a kill would leave is what was committed.
      db.close();
      db = openDatabase(file);
      return openRows(db);
    },
  };
}

function openRows(db: Db) {
  const threads = threadRows(db);
  const cards = createCards(db);
  return {
    db,
    inbox: createInbox(db),
    outbox: createOutbox(db),
    threads,
    cards,
    /** A thread in a private chat, or in the group with this negative id. */
    thread: (name: string, chatId: number, topicId = 0): ThreadId => {
      const chatKind = chatId < 0 ? "group" : "private";
      return threads.add({ id: name as ThreadId, chatId, topicId, chatKind, enabled: true }, 0).id;
    },
    card: (name: string, threadId: ThreadId): CardId => {
      const id = name as CardId;
      cards.create({ id, threadId }, 0);
      return id;
    },
    /** How every row of the outbox stands, the oldest first. */
    outboxStates: (): string[] =>
      db.prepare<[], string>("SELECT payload || ' ' || state FROM outbox ORDER BY id").pluck().all(),
  };
}
