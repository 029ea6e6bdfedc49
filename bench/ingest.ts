import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, loadConfig } from "../src/app/config.ts";
import type { Desk } from "../src/app/desk.ts";
import { ingest, nothingYet, type Reading } from "../src/app/ingest.ts";
import { createLog } from "../src/app/log.ts";
import { shortId, uuid } from "../src/app/new-id.ts";
import { createPresenter } from "../src/app/present.ts";
import { createRegistry } from "../src/claude/registry.ts";
import { noTasks } from "../src/claude/tasks.ts";
import { translate } from "../src/claude/translate.ts";
import { parseLine } from "../src/claude/wire.ts";
import type { ProcessId, SessionId, ThreadId } from "../src/core/ids.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { recordedLines, recordingNames } from "../test/support/recordings.ts";
import { ratio, report } from "./support/report.ts";
import { median, sideBySide, WARM_UP_ROUNDS } from "./support/side-by-side.ts";

const ROUNDS = 15;

const recordings = recordingNames().map(recordedLines);
const lines = recordings.flat().length;
const folder = mkdtempSync(join(tmpdir(), "signoff-bench-"));
const store = openStore(join(folder, "signoff.db"));
// Made before the clock runs: two ways of taking every recording, in every round.
const readings = Array.from({ length: 2 * recordings.length * (ROUNDS + WARM_UP_ROUNDS) }, (_, index) =>
  aReading(store, index + 1),
);
try {
  const desk = await aDesk(store);
  const times = await sideBySide(ROUNDS, {
    one: () => recordings.forEach((recording) => take(desk, recording, 1)),
    all: () => recordings.forEach((recording) => take(desk, recording, recording.length)),
    read: () =>
      recordings.forEach((recording) =>
        recording.reduce((tasks, line) => translate(parseLine(line), tasks).tasks, noTasks),
      ),
  });
  const read = median(times.read);
  const row = (work: string, time: number) => ({
    work,
    ratio: ratio(time, read),
    "lines a second": String(Math.round(lines / (time / 1000))),
    "a line": `${Math.round((time / lines) * 1000)} µs`,
  });
  report(
    `Taking all ${recordings.length} recordings of the CLI (${lines} lines), synchronous = FULL`,
    [
      row("ingest, a line at a time", median(times.one)),
      row("ingest, a recording at a time", median(times.all)),
      row("parse and translate alone", read),
    ],
    "A line that comes alone is a commit of its own, which waits for the disk; lines that come together share one.",
  );
} finally {
  store.close();
  rmSync(folder, { recursive: true });
}

/** Takes a recording as the output of a process of its own, in batches of so many lines. */
function take(desk: Desk, recording: readonly string[], batchSize: number): void {
  const reading = readings.pop();
  if (reading === undefined) throw new Error("There are more rounds than processes");
  for (let at = 0; at < recording.length; at += batchSize) {
    const batch = recording.slice(at, at + batchSize);
    ingest(desk, reading, { lines: batch, endOffset: at + batch.length });
  }
}

/** A new process, in a thread of its own. */
function aReading(rows: Store, chatId: number): Reading {
  const [threadId, sessionId, processId] = [shortId<ThreadId>(), shortId<SessionId>(), shortId<ProcessId>()];
  rows.transaction(() => {
    rows.threads.add({ id: threadId, chatId, topicId: 0, chatKind: "private", enabled: true }, 0);
    rows.sessions.add({ id: sessionId, threadId, project: "web", claudeId: uuid() }, 0);
    rows.threads.bind(threadId, sessionId);
    rows.processes.add({ id: processId, sessionId, folder: "", opened: "fresh", trusted: false }, 0);
  });
  return { processId, sessionId, ...nothingYet };
}

/** All that ingest works with, but nobody who acts on what it writes. */
async function aDesk(rows: Store): Promise<Desk> {
  const clock = (): number => Date.now();
  return {
    config: await aConfig(),
    store: rows,
    clock,
    log: createLog({ write: () => {}, now: () => new Date() }),
    present: createPresenter({ store: rows, clock, wakeOutbox: () => {}, redact: (text) => text }),
    registry: createRegistry(),
    wake: { session: () => {}, progress: () => {}, hook: () => {}, answer: () => {} },
  };
}

async function aConfig(): Promise<Config> {
  const file = join(folder, "signoff.toml");
  const text = `[telegram]\ntoken = "1:${"x".repeat(35)}"\nallowed_users = [111]\n[projects.web]\npath = "."\n`;
  writeFileSync(file, text, { mode: 0o600 });
  return loadConfig({ argvPath: file, env: {}, cwd: folder, homedir: folder });
}
