import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { type Db, migrate, NewerStoreError, openDatabase, openReadOnly } from "../../src/store/database.ts";

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signoff-database-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function closedAtTheEnd(db: Db): Db {
  onTestFinished(() => void db.close());
  return db;
}

const open = (file: string): Db => closedAtTheEnd(openDatabase(file));
const bare = (): Db => closedAtTheEnd(new Database(":memory:"));
const shapeOf = (db: Db): unknown => db.pragma("user_version", { simple: true });
const tablesOf = (db: Db): unknown[] =>
  db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();

test("every file of the store is readable by its owner alone, whatever the umask", () => {
  const folder = tempFolder();
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const db = open(join(folder, "signoff.db"));
  db.exec("INSERT INTO meta VALUES ('a', 'b')");
  const modes = readdirSync(folder)
    .toSorted()
    .map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
  expect(modes).toEqual([
    ["signoff.db", 0o600],
    ["signoff.db-shm", 0o600],
    ["signoff.db-wal", 0o600],
  ]);
});

test("a store that others could read is closed to them when it is opened", () => {
  const file = join(tempFolder(), "signoff.db");
  openDatabase(file).close();
  chmodSync(file, 0o644);
  open(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a commit survives a power cut: write-ahead log, and every commit reaches the disk", () => {
  const db = open(join(tempFolder(), "signoff.db"));
  const pragma = (name: string) => db.pragma(name, { simple: true });
  const full = 2;
  expect([pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys")]).toEqual(["wal", full, 1]);
  expect(pragma("busy_timeout")).toBe(5000);
});

test("opened again, the store has the same shape and what was written", () => {
  const file = join(tempFolder(), "signoff.db");
  const first = openDatabase(file);
  first.exec("INSERT INTO meta VALUES ('a', 'b')");
  const before = [shapeOf(first), tablesOf(first)];
  first.close();
  const second = open(file);
  expect([shapeOf(second), tablesOf(second)]).toEqual(before);
  expect(second.prepare("SELECT value FROM meta").pluck().get()).toBe("b");
});

test("migrations are applied in order, and only those that are missing", () => {
  const db = bare();
  const one = "CREATE TABLE one (a)";
  const two = "CREATE TABLE two (a); INSERT INTO two SELECT count(*) FROM one";
  migrate(db, [one]);
  db.exec("INSERT INTO one VALUES (1)");
  migrate(db, [one, two]);
  migrate(db, [one, two]);
  expect(shapeOf(db)).toBe(2);
  expect(db.prepare("SELECT a FROM two").pluck().all()).toEqual([1]);
});

test("a migration that fails leaves the shape before it, and can be tried again", () => {
  const db = bare();
  const one = "CREATE TABLE one (a)";
  expect(() => migrate(db, [one, "CREATE TABLE two (a); CREATE TABLE one (a)"])).toThrow("already exists");
  expect([shapeOf(db), tablesOf(db)]).toEqual([1, ["one"]]);
  migrate(db, [one, "CREATE TABLE two (a)"]);
  expect([shapeOf(db), tablesOf(db)]).toEqual([2, ["one", "two"]]);
});

test("a store of a newer Signoff is refused in plain words, left as it is and let go", () => {
  const file = join(tempFolder(), "signoff.db");
  const newer = openDatabase(file);
  newer.pragma("user_version = 1000");
  newer.close();
  expect(() => openDatabase(file)).toThrow(NewerStoreError);
  expect(() => openDatabase(file)).toThrow("written by a newer Signoff (shape 1000");
  const raw = closedAtTheEnd(new Database(file));
  expect(shapeOf(raw)).toBe(1000);
  // Only the last connection may leave the write-ahead log, so this shows that none was left open.
  expect(raw.pragma("journal_mode = DELETE", { simple: true })).toBe("delete");
});

test("a look at the store changes nothing, goes on beside the bot, and is refused for a newer one", () => {
  const file = join(tempFolder(), "signoff.db");
  const bot = open(file);
  bot.exec("INSERT INTO meta VALUES ('a', 'b')");
  const look = closedAtTheEnd(openReadOnly(file));
  expect(look.prepare("SELECT value FROM meta").pluck().all()).toEqual(["b"]);
  expect(() => look.exec("DELETE FROM meta")).toThrow("readonly");
  bot.pragma("user_version = 1000");
  expect(() => openReadOnly(file)).toThrow(NewerStoreError);
  expect(() => openReadOnly(`${file}.gone`)).toThrow();
});

test("several processes that open a new store at once all find it whole", async () => {
  const folder = tempFolder();
  const openers = await Promise.all([opener(), opener(), opener()]);
  for (let round = 0; round < 20; round += 1) {
    const file = join(folder, `${round}.db`);
    const said = await Promise.all(openers.map((ask) => ask(file)));
    expect(said, `round ${round}`).toEqual(["opened", "opened", "opened"]);
  }
});

/** Another process that opens stores; gives a way to have one opened and to learn how that went. */
async function opener(): Promise<(file: string) => Promise<unknown>> {
  const script = fileURLToPath(new URL("../support/open-databases.ts", import.meta.url));
  const child = execa(process.execPath, ["--import", "tsx", script], { reject: false, stderr: "inherit" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await child;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("ready");
  return async (file) => {
    child.stdin.write(`${file}\n`);
    return (await lines.next()).value;
  };
}
