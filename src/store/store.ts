import { auditRows } from "./audit.ts";
import { awaitedRows } from "./awaited.ts";
import { createCards } from "./cards.ts";
import { openDatabase } from "./database.ts";
import { createInbox } from "./inbox.ts";
import { metaRows } from "./meta.ts";
import { createOutbox } from "./outbox.ts";
import { processRows } from "./processes.ts";
import { promptRows } from "./prompts.ts";
import { pruneRows } from "./prune.ts";
import { requestRows } from "./requests.ts";
import { ruleRows } from "./rules.ts";
import { sessionRows } from "./sessions.ts";
import { threadRows } from "./threads.ts";
import { trustRows } from "./trust.ts";
import { turnRows } from "./turns.ts";

export type Store = ReturnType<typeof openStore>;

/** Everything that must outlive the bot, a family of rows each, and the one way to change several of them at once. */
export function openStore(file: string) {
  const db = openDatabase(file);
  const run = db.transaction((work: () => unknown) => work());
  return {
    threads: threadRows(db),
    sessions: sessionRows(db),
    processes: processRows(db),
    awaited: awaitedRows(db),
    prompts: promptRows(db),
    turns: turnRows(db),
    requests: requestRows(db),
    rules: ruleRows(db),
    audit: auditRows(db),
    trust: trustRows(db),
    meta: metaRows(db),
    inbox: createInbox(db),
    cards: createCards(db),
    outbox: createOutbox(db),
    /** All of it or none of it. Inside another transaction it is a savepoint, so that a part can fail alone. */
    transaction<Result>(work: () => Result): Result {
      return run.immediate(work) as Result;
    },
    /** Forgets what was over before `before`: it can be looked up no more, but the audit still tells of it. */
    prune: (before: number): void => run.immediate(() => pruneRows(db, before)) as undefined,
    close(): void {
      db.close();
    },
  };
}
