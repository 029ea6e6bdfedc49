import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { errorCode } from "../core/describe-error.ts";
import { prepareStateDir } from "./state-dir.ts";

/** The right to be the one bot of a state folder; held until released, or until the process is gone. */
export type Lock = { release(): void };

/**
 * Takes the state folder for this process.
 * The lock is SQLite's own on `bot.lock`: the kernel drops it with the process, whatever kills that, so none is ever stale.
 */
export function takeLock(stateDir: string): Lock | "taken" {
  prepareStateDir(stateDir);
  const file = join(stateDir, "bot.lock");
  createPrivately(file);
  const database = new Database(file, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal needs to lie beside the file.
    database.pragma("journal_mode = MEMORY");
    // Never committed: as long as the transaction is open, it holds the lock.
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (errorCode(error)?.startsWith("SQLITE_BUSY")) return "taken";
    throw error;
  }
  return { release: () => database.close() };
}

function createPrivately(file: string): void {
  // A file that exists is never opened here: closing it would drop a lock that this very process may hold on it.
  if (existsSync(file)) chmodSync(file, 0o600);
  else closeSync(openSync(file, "a", 0o600));
}
