import { chmodSync, existsSync } from "node:fs";
import Database from "better-sqlite3";
import { errorCode } from "../core/describe-error.ts";
import { firstShape } from "./migrations/0001-first-shape.ts";
import { reminders } from "./migrations/0002-reminders.ts";

export type Db = Database.Database;

/** Every migration in order; its place in the list is its number. A shipped one is never edited. */
const migrations: readonly string[] = [firstShape, reminders];

/** How long we wait for another process that writes. */
const LONGEST_WAIT_MS = 5000;
const STEP_MS = 10;

/** Opens the store, brings it to the newest shape, and keeps it readable by its owner alone. */
export function openDatabase(file: string): Db {
  const db = new Database(file, { timeout: 0 });
  try {
    useWriteAheadLog(db);
    db.pragma(`busy_timeout = ${LONGEST_WAIT_MS}`);
    // A row must outlive a power cut once we have acted on it, so every commit reaches the disk.
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    migrate(db, migrations);
    for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, 0o600);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a store for a look, beside the bot that works with it. Nothing is changed, not even its shape. */
export function openReadOnly(file: string): Db {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: LONGEST_WAIT_MS });
  const found = version(db);
  if (found <= migrations.length) return db;
  db.close();
  throw new NewerStoreError(found, migrations.length);
}

/** Applies what is missing, each migration in a transaction of its own, so that a crash leaves a whole shape. */
export function migrate(db: Db, list: readonly string[]): void {
  const apply = db.transaction((number: number, sql: string) => {
    // Asked again inside the lock: another process may have been faster.
    if (version(db) >= number) return;
    db.exec(sql);
    db.pragma(`user_version = ${number}`);
  });
  const current = version(db);
  if (current > list.length) throw new NewerStoreError(current, list.length);
  list.forEach((sql, index) => {
    if (index >= current) apply.immediate(index + 1, sql);
  });
}

/** The store was written by a newer Signoff; going on would damage it. */
export class NewerStoreError extends Error {
  constructor(found: number, known: number) {
    super(
      `The state directory was written by a newer Signoff (shape ${found}, this one knows ${known}). Update Signoff.`,
    );
  }
}

/**
 * Two processes that open a new store at once each hold what the other waits for. SQLite then gives up without the wait
 * that it keeps elsewhere, so the wait is ours.
 */
function useWriteAheadLog(db: Db): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += STEP_MS) {
    try {
      db.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!errorCode(error)?.startsWith("SQLITE_BUSY") || waited >= LONGEST_WAIT_MS) throw error;
      Atomics.wait(pause, 0, 0, STEP_MS);
    }
  }
}

function version(db: Db): number {
  return Number(db.pragma("user_version", { simple: true }));
}
