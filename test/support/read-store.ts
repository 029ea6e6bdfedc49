import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

/** Looks into a bot's state from outside, as an owner could: read only, beside the running bot. */
export function queryStore<Row>(stateDir: string, sql: string): Row[] {
  const db = new Database(join(stateDir, "signoff.db"), { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}

/** How many bytes all processes have been sent so far. */
export function bytesArrived(stateDir: string): number {
  const folder = join(stateDir, "processes");
  if (!existsSync(folder)) return 0;
  const logs = readdirSync(folder).map((name) => join(folder, name, "in.jsonl"));
  return logs.filter((log) => existsSync(log)).reduce((sum, log) => sum + statSync(log).size, 0);
}
