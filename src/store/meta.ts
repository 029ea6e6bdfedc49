import type { Db } from "./database.ts";

/** Single facts about this bot: its instance id, when it last heard from Telegram. */
export function metaRows(db: Db) {
  const read = db.prepare<[string], { value: string }>("SELECT value FROM meta WHERE key = ?");
  const write = db.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );

  return {
    get: (key: string): string | undefined => read.get(key)?.value,
    set(key: string, value: string): void {
      write.run(key, value);
    },
    /** The value, or what `make` gives, kept from then on. */
    getOrMake(key: string, make: () => string): string {
      const known = read.get(key)?.value;
      if (known !== undefined) return known;
      const made = make();
      write.run(key, made);
      return made;
    },
  };
}
