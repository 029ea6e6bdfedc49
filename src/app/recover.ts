import { outLog, removeFolder } from "../claude/process-folder.ts";
import { sweep } from "../claude/stop.ts";
import { readLines } from "../claude/tail.ts";
import type { SessionId } from "../core/ids.ts";
import { noWork } from "../core/work.ts";
import type { Process } from "../store/processes.ts";
import { postponeReplies } from "./control.ts";
import type { Desk } from "./desk.ts";
import { type Folded, nothingYet, refold } from "./ingest.ts";
import { changeMode, startMode } from "./modes.ts";
import { settleEnd } from "./process-end.ts";
import { isShown, showAgain } from "./requests.ts";
import type { StartedProcess } from "./start-process.ts";
import type { Supervisor } from "./supervisor.ts";

/** The last poll before the absence after which cards were sent anew. */
const OFFERED_KEY = "offered_after";
/** Taps live at Telegram for so long; those made later while we were away never arrive. */
const TAPS_LIVE_MS = 150_000;

/** Takes up what the last bot left: processes that ran on, requests that wait, messages half sent. */
export async function recover(desk: Desk, supervisor: Supervisor, instance: string): Promise<void> {
  const { store } = desk;
  // First of all: once the sender runs, a row under way is no longer one that the last bot left in doubt.
  store.outbox.recover(desk.clock());
  postponeReplies(desk);
  const left = store.processes.live();
  const known = new Set<string>(left.filter(isStarted).map((process) => process.id));
  const swept = await sweep(instance, (session) => known.has(session));
  if (swept.length > 0) desk.log.warn("recover.swept", { processes: swept.length });

  for (const request of store.requests.waiting()) {
    desk.registry.asked(request.id, request.sessionId);
    if (!isShown(request)) desk.wake.hook(request.id);
  }
  for (const process of left) {
    // Killed between the row and the spawn: whatever ran of it is swept, and it was never sent anything.
    if (!isStarted(process)) store.transaction(() => settleEnd(desk, process, { stderr: "" }, noWork));
    else {
      supervisor.attach(process, await foldedSoFar(desk, process));
      leaveBypass(desk, process.sessionId);
    }
  }
  for (const { id, folder } of store.processes.foldersToRemove()) {
    await removeFolder(folder);
    store.processes.folderRemoved(id);
  }
  offerAgain(desk);
  for (const sessionId of sessionsToTend(desk)) desk.wake.session(sessionId);
}

/** A process may run on in a mode that the config no longer allows. */
function leaveBypass(desk: Desk, sessionId: SessionId): void {
  const session = desk.store.sessions.get(sessionId);
  const allowed = startMode(desk.config, desk.store.threads.get(session.threadId), session);
  if (session.mode !== undefined && session.mode !== allowed) {
    desk.store.transaction(() => changeMode(desk, sessionId, allowed));
  }
}

/** Only if the bot was away for longer than taps live: then a card may hold a tap that nobody will ever hear of. */
function offerAgain(desk: Desk): void {
  const lastPoll = desk.store.inbox.lastPollAt();
  if (lastPoll === undefined || desk.clock() - lastPoll <= TAPS_LIVE_MS) return;
  // Once an absence: while Telegram stays out of reach, every further start would only move the cards again.
  if (desk.store.meta.get(OFFERED_KEY) === String(lastPoll)) return;
  desk.store.transaction(() => {
    desk.store.meta.set(OFFERED_KEY, String(lastPoll));
    for (const request of desk.store.requests.waiting().filter(isShown)) showAgain(desk, request);
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
