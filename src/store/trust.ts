import type { CardId, ThreadId } from "../core/ids.ts";
import type { FolderBrings } from "../core/trust.ts";
import type { Db } from "./database.ts";

export type TrustState = "asked" | "trusted" | "refused" | "outdated";

/** The owner's word about one folder as it was: another fingerprint is another question. */
export type Trust = {
  id: string;
  path: string;
  fingerprint: string;
  brings: FolderBrings;
  state: TrustState;
  cardId?: CardId;
  threadId: ThreadId;
};

type Row = {
  id: string;
  path: string;
  fingerprint: string;
  brings: string;
  state: TrustState;
  card_id: CardId | null;
  thread_id: ThreadId;
};

/** What was asked and said about folders that bring hooks, servers and rules. */
export function trustRows(db: Db) {
  const byId = db.prepare<[string], Row>("SELECT * FROM trust WHERE id = ?");
  const byPrint = db.prepare<[string, string], Row>("SELECT * FROM trust WHERE path = ? AND fingerprint = ?");
  const ofPath = db.prepare<[string], Row>("SELECT * FROM trust WHERE path = ?");
  const insert = db.prepare(
    "INSERT INTO trust (id, path, fingerprint, brings, state, card_id, thread_id, asked_at) VALUES (?, ?, ?, ?, 'asked', ?, ?, ?)",
  );
  const reopen = db.prepare(
    "UPDATE trust SET state = 'asked', card_id = ?, thread_id = ?, asked_at = ?, by_name = NULL, decided_at = NULL WHERE id = ?",
  );
  const decide = db.prepare("UPDATE trust SET state = ?, by_name = ?, decided_at = ? WHERE id = ?");

  return {
    get(id: string): Trust | undefined {
      const row = byId.get(id);
      return row && toTrust(row);
    },
    of(path: string, fingerprint: string): Trust | undefined {
      const row = byPrint.get(path, fingerprint);
      return row && toTrust(row);
    },
    ofPath: (path: string): Trust[] => ofPath.all(path).map(toTrust),
    ask(trust: Omit<Trust, "state"> & { cardId: CardId }, now: number): void {
      const { id, path, fingerprint, brings, cardId, threadId } = trust;
      insert.run(id, path, fingerprint, JSON.stringify(brings), cardId, threadId, now);
    },
    /** The folder is again as it was when this was asked, and nobody has answered. */
    askAgain(id: string, at: { cardId: CardId; threadId: ThreadId }, now: number): void {
      reopen.run(at.cardId, at.threadId, now, id);
    },
    decide(id: string, state: TrustState, by: string | undefined, now: number): void {
      decide.run(state, by ?? null, now, id);
    },
  };
}

// Written by this file alone, so its shape is known.
function toTrust(row: Row): Trust {
  return {
    id: row.id,
    path: row.path,
    fingerprint: row.fingerprint,
    brings: JSON.parse(row.brings) as FolderBrings,
    state: row.state,
    ...(row.card_id === null ? {} : { cardId: row.card_id }),
    threadId: row.thread_id,
  };
}
