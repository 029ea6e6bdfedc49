import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { queryStore } from "../read-store.ts";
import type { Stage } from "../stage.ts";
import { EFFECTS } from "./plan.ts";

/** True when nothing is under way any more, neither in the store nor at Telegram. */
export function isQuiet({ stateDir, telegram }: Stage): boolean {
  const [open] = queryStore<{ count: number }>(
    stateDir,
    `SELECT (SELECT count(*) FROM outbox WHERE state IN ('queued', 'sending'))
       + (SELECT count(*) FROM inbox WHERE state = 'new')
       + (SELECT count(*) FROM turns WHERE state = 'open')
       + (SELECT count(*) FROM requests WHERE state = 'waiting')
       + (SELECT count(*) FROM prompts WHERE state NOT IN ('done', 'cancelled', 'lost')) AS count`,
  );
  return open?.count === 0 && telegram.pendingUpdates() === 0;
}

/** Rows that went wrong, though nothing but the bot was ever killed. */
export function misfortunes({ stateDir }: Stage): unknown[] {
  return queryStore(
    stateDir,
    `SELECT 'prompt' AS what, state, text AS which FROM prompts WHERE state <> 'done'
     UNION ALL SELECT 'turn', state, id FROM turns WHERE state <> 'done'
     UNION ALL SELECT 'update', state, body FROM inbox WHERE state <> 'done'
     UNION ALL SELECT 'message', state, error FROM outbox WHERE state = 'failed'`,
  );
}

/** A request as it ended: its row, and all that the audit says of it. */
export type Ended = { about: string; state: string; outcome: string; audited: string };

/** Every request there ever was. */
export function endedRequests({ stateDir }: Stage): Ended[] {
  return queryStore<Ended>(
    stateDir,
    `SELECT coalesce(ask ->> '$.input.command', ask ->> '$.input.questions[0].question') AS about,
       state, decision ->> '$.kind' AS outcome,
       (SELECT group_concat(what) FROM audit WHERE request_id = requests.id) AS audited
     FROM requests ORDER BY about`,
  );
}

/** The messages that the bot knows as its cards, as `chat:message`. */
export function knownCards({ stateDir }: Stage): Set<string> {
  const rows = queryStore<{ place: string }>(
    stateDir,
    `SELECT chat_id || ':' || message_id AS place FROM cards JOIN threads ON threads.id = cards.thread_id
     WHERE message_id IS NOT NULL`,
  );
  return new Set(rows.map(({ place }) => place));
}

/** How often Claude put these words to the model: what steers a turn stands among the results of its tools. */
export function timesRead({ model }: Stage, words: string): number {
  const most = new Map<string, number>();
  for (const { sessionId, messages } of model.requests()) {
    const count = JSON.stringify(messages).split(words).length - 1;
    most.set(sessionId, Math.max(most.get(sessionId) ?? 0, count));
  }
  return [...most.values()].reduce((sum, count) => sum + count, 0);
}

/** What the commands that ran have left behind, a line each. */
export function effects({ project }: Stage): string[] {
  const file = join(project, EFFECTS);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .toSorted();
}

/** Everything that runs with this stage's home or state, whether or not it carries a mark. */
export function processesAround({ home, stateDir }: Stage): string[] {
  const all = execFileSync("ps", ["axeww", "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return all.split("\n").filter((line) => line.includes(home) || line.includes(stateDir));
}
