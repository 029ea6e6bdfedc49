import type { RuleReach } from "../core/always.ts";
import type { SessionId } from "../core/ids.ts";
import type { Db } from "./database.ts";

/** Something a person allowed beyond once. */
export type Rule = {
  /** The project's real path: a name can be given to another folder. */
  folder: string;
  /** In Claude's own notation. */
  rule: string;
  reach: RuleReach;
  by: string;
  byId: number;
  sessionId: SessionId;
};

/** What people allowed beyond once: Claude enforces it, these rows keep it and say where it came from. */
export function ruleRows(db: Db) {
  const insert = db.prepare(
    "INSERT INTO rules (folder, rule, reach, by_name, by_id, session_id, added_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const ofFolder = db.prepare<[string], { rule: string }>(
    "SELECT DISTINCT rule FROM rules WHERE folder = ? AND reach = 'project' ORDER BY rule",
  );

  return {
    add(rule: Rule, now: number): void {
      insert.run(rule.folder, rule.rule, rule.reach, rule.by, rule.byId, rule.sessionId, now);
    },
    /** What every process in this folder is told at its start. */
    ofFolder: (folder: string): string[] => ofFolder.all(folder).map(({ rule }) => rule),
  };
}
