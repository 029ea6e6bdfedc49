import { outLog, removeFolder } from "../claude/process-folder.ts";
import { sweep } from "../claude/stop.ts";
import { readLines } from "../claude/tail.ts";
import { noWork } from "../core/work.ts";
import type { Process } from "../store/processes.ts";
import type { Desk } from "./desk.ts";
import { type Folded, nothingYet, refold } from "./ingest.ts";
import { settleEnd } from "./process-end.ts";
import { showAgain } from "./requests.ts";
import type { StartedProcess } from "./start-process.ts";
import type { Supervisor } from "./supervisor.ts";

/** Taps live at Telegram for so long; those made later while we were away never arrive. */
const TAPS_LIVE_MS = 150_000;

/** Takes up what the last bot left: processes that ran on, requests that wait, messages half sent. */
export async function recover(desk: Desk, supervisor: Supervisor, instance: string): Promise<void> {
  const { store } = desk;
  // First of all: once the sender runs, a row under way is no longer one that the last bot left in doubt.
  store.outbox.recover(desk.clock());
  const left = store.processes.live();
  const known = new Set<string>(left.filter(isStarted).map((process) => process.id));
  const swept = await sweep(instance, (session) => known.has(session));
  if (swept.length > 0) desk.log.warn("recover.swept", { processes: swept.length });

  for (const request of store.requests.waiting()) desk.registry.asked(request.id, request.sessionId);
  for (const process of left) {
    // Killed between the row and the spawn: whatever ran of it is swept, and it was never sent anything.
    if (!isStarted(process)) store.transaction(() => settleEnd(desk, process, { stderr: "" }, noWork));
    else supervisor.attach(process, await foldedSoFar(desk, process));
  }
  for (const { id, folder } of store.processes.foldersToRemove()) {
    await removeFolder(folder);
    store.processes.folderRemoved(id);
  }
  offerAgain(desk);
  for (const sessionId of sessionsToTend(desk)) desk.wake.session(sessionId);
}

/** Only if the bot was away for longer than taps live: then a card may hold a tap that nobody will ever hear of. */
function offerAgain(desk: Desk): void {
  const lastPoll = desk.store.inbox.lastPollAt();
  if (lastPoll === undefined || desk.clock() - lastPoll <= TAPS_LIVE_MS) return;
  desk.store.transaction(() => {
    for (const request of desk.store.requests.waiting()) showAgain(desk, request);
  });
}

/** What the process was doing, folded anew from its log: titles, plans and task lists are known again. */
async function foldedSoFar(desk: Desk, process: StartedProcess): Promise<Folded> {
  let folded = nothingYet;
  try {
    for await (const { lines } of readLines(outLog(process.folder), 0, process.outOffset)) {
      folded = refold(desk, process.sessionId, folded, lines);
    }
  } catch (error) {
    desk.log.warn("recover.log_unreadable", { process: process.id, error });
  }
  return folded;
}

function sessionsToTend(desk: Desk) {
  const { store } = desk;
  const running = store.processes.live().map((process) => process.sessionId);
  const queued = store.prompts
    .everywhere("queued")
    .flatMap((prompt) => store.threads.get(prompt.threadId).sessionId ?? []);
  return new Set([...running, ...queued]);
}

function isStarted(process: Process): process is StartedProcess {
  return process.os !== undefined;
}
