import { isScheduled, type Work } from "../core/work.ts";
import type { Process } from "../store/processes.ts";
import type { Prompt } from "../store/prompts.ts";
import type { Session } from "../store/sessions.ts";
import { endRequests } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import { closeTurn, openTurnIfAwaited } from "./turns.ts";

/** How a process ended, as far as can be known. */
export type ProcessEnd = { code?: number; stderr: string };

/** After so many processes that died with the same prompt unread, the person decides. */
const MOST_TRIES = 3;

/** Claude's own words when there is nothing to resume. */
export function saysConversationLost(text: string): boolean {
  return text.includes("No conversation found");
}

/**
 * A process is over: its questions end, its turn closes, and every prompt it left goes somewhere. One that Claude never
 * read is sent again under the same id; one that Claude had begun is the person's to repeat.
 */
export function settleEnd(desk: Desk, process: Process, end: ProcessEnd, work: Work): void {
  const { store } = desk;
  const session = store.sessions.get(process.sessionId);
  const wanted = process.ending === "wanted";
  const isCurrent = store.threads.get(session.threadId).sessionId === session.id;
  store.processes.ended(process.id, end.code, desk.clock());
  store.awaited.forget(process.id);
  const unread = store.prompts.ofProcess(process.id, "sent");
  const begun = store.prompts.ofProcess(process.id, "taken");
  endRequests(desk, process.id, wanted ? "the session was ended" : "Claude's process ended");
  for (const prompt of begun) store.prompts.move(prompt.id, "lost");

  if (!wanted && saysConversationLost(end.stderr)) return resumeFailed(desk, session, unread, work);
  if (!wanted && end.stderr.includes("is already in use")) store.sessions.setConversation(session.id, "kept");

  // Read by nobody: they go to the next process, unless the thread has turned away or every process died of them.
  // A process that never ran, because the bot was killed before it could start it, died of nothing.
  const hopeless = process.os === undefined ? [] : unread.filter((prompt) => prompt.tries >= MOST_TRIES);
  for (const prompt of unread) {
    store.prompts.move(prompt.id, !isCurrent ? "cancelled" : hopeless.includes(prompt) ? "lost" : "queued");
  }
  // A turn that was opened for prompts nobody sent yet is not over with this process.
  const queued = store.prompts.inThread(session.threadId, "queued").length;
  const goesOn = isCurrent && queued > 0;
  const turn = store.turns.openOf(session.id);
  const isCut = turn !== undefined && (begun.length > 0 || !goesOn);
  if (isCut) closeTurn(desk, turn, wanted || turn.stoppedBy !== undefined ? "stopped" : "failed", work);
  if (isCurrent) openTurnIfAwaited(desk, session, undefined);
  if (wanted) return;
  desk.log.warn("claude.process_ended", {
    process: process.id,
    code: end.code,
    stderr: end.stderr.slice(-300),
  });
  const lost = begun[0] ?? hopeless[0];
  if (isCut || lost !== undefined || process.ending === "broken")
    tellCrash(desk, process, session, end, lost);
  else if (work.background.length > 0 || isScheduled(work, desk.clock()))
    tellBackgroundLost(desk, session, work);
}

/** Nothing to resume. Where no turn had ever ended nothing is lost; else the person is told, and decides. */
function resumeFailed(desk: Desk, session: Session, unread: Prompt[], work: Work): void {
  const { store } = desk;
  const isLoss = session.conversation === "kept";
  store.sessions.setConversation(session.id, isLoss ? "kept" : "none");
  for (const prompt of unread) store.prompts.move(prompt.id, isLoss ? "lost" : "queued");
  if (!isLoss) return;
  const turn = store.turns.openOf(session.id);
  if (turn !== undefined) closeTurn(desk, turn, "failed", work);
  const first = unread[0];
  const send = unread.length > 1 ? "Start fresh and send them" : "Start fresh and send it";
  desk.present.show(
    session.threadId,
    {
      kind: "notice",
      tone: "warning",
      text: "Claude no longer has this conversation, so it cannot go on from there. Your files are as they were.",
      ...(first === undefined
        ? {}
        : { actions: [{ label: send, tap: { verb: "fresh", promptId: first.id }, style: "primary" }] }),
    },
    { lane: "answer" },
  );
}

function tellCrash(
  desk: Desk,
  process: Process,
  session: Session,
  end: ProcessEnd,
  lost: Prompt | undefined,
): void {
  const said = lastLines(end.stderr);
  desk.present.show(
    session.threadId,
    {
      kind: "notice",
      tone: "error",
      text: whatHappened(desk, process, session, end),
      ...(said === "" ? {} : { code: said }),
      ...(lost === undefined
        ? {}
        : { actions: [{ label: "Try again", tap: { verb: "retry", promptId: lost.id } }] }),
    },
    { lane: "answer" },
  );
}

function whatHappened(desk: Desk, process: Process, session: Session, end: ProcessEnd): string {
  if (end.code === 127 || end.code === 126) {
    return "Claude could not be started. Check claude.command in the config, then try again.";
  }
  const isKept = desk.store.sessions.get(session.id).conversation === "kept";
  const next = isKept
    ? "The conversation is kept: write to go on, or try again."
    : "Try again, or write anew.";
  if (process.ending === "broken") return `Claude stopped answering, so I ended its process. ${next}`;
  const code = end.code === undefined ? "" : ` (exit ${end.code})`;
  return `Claude's process ended in the middle of the turn${code}. ${next}`;
}

function tellBackgroundLost(desk: Desk, session: Session, work: Work): void {
  const scheduled = isScheduled(work, desk.clock()) ? ["a wake-up that was scheduled"] : [];
  const tasks = [...work.background.map((task) => task.description), ...scheduled].join("\n");
  desk.present.show(
    session.threadId,
    {
      kind: "notice",
      tone: "warning",
      text: "Claude's process ended, and with it what went on in the background:",
      code: tasks,
    },
    { lane: "answer" },
  );
}

function lastLines(stderr: string): string {
  return stderr.trim().split("\n").slice(-5).join("\n").slice(-800);
}
