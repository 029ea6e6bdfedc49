import type { Db } from "./database.ts";

/** Removes rows of things that ended before `before`, and what only they needed. Children go before their parents. */
export function pruneRows(db: Db, before: number): void {
  for (const sql of STATEMENTS) db.prepare<[number]>(sql).run(before);
}

const STATEMENTS = [
  "DELETE FROM requests WHERE state <> 'waiting' AND over_at < ?",
  "DELETE FROM prompts WHERE state IN ('done', 'cancelled', 'lost') AND created_at < ?",
  "DELETE FROM turns WHERE state <> 'open' AND ended_at < ?",
  `DELETE FROM processes WHERE state = 'ended' AND folder = '' AND ended_at < ?
     AND NOT EXISTS (SELECT 1 FROM requests WHERE process_id = processes.id)
     AND NOT EXISTS (SELECT 1 FROM prompts WHERE process_id = processes.id)`,
  `DELETE FROM cards WHERE created_at < ?
     AND NOT EXISTS (SELECT 1 FROM outbox WHERE card_id = cards.id)
     AND NOT EXISTS (SELECT 1 FROM requests WHERE card_id = cards.id)
     AND NOT EXISTS (SELECT 1 FROM turns WHERE card_id = cards.id)
     AND NOT EXISTS (SELECT 1 FROM trust WHERE card_id = cards.id)
     AND NOT EXISTS (SELECT 1 FROM prompts WHERE card_id = cards.id)`,
];
