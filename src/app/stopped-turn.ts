import { interrupt } from "../claude/frames.ts";
import type { SessionId, ThreadId } from "../core/ids.ts";
import { noWork, type Work } from "../core/work.ts";
import type { Process } from "../store/processes.ts";
import type { Session } from "../store/sessions.ts";
import type { Person } from "../telegram/intent.ts";
import { sendControl } from "./control.ts";
import type { Desk } from "./desk.ts";
import { cancelUnsent } from "./prompt-queue.ts";
import { sessionOf } from "./thread-session.ts";
import { closeTurn } from "./turns.ts";

export type StopAsked = { stopping: boolean; dropped: number };

/** Stops what runs in a thread: unsent prompts are dropped, the turn is interrupted. Claude itself withdraws its requests. */
export function stopTurn(desk: Desk, threadId: ThreadId, by: Person): StopAsked {
  const dropped = cancelUnsent(desk, threadId);
  const session = sessionOf(desk, threadId);
  const turn = session && desk.store.turns.openOf(session.id);
  if (session === undefined || turn === undefined) return { stopping: false, dropped };
  desk.store.turns.stoppedBy(turn.id, by.name);
  const process = desk.store.processes.liveOf(session.id);
  if (process === undefined) {
    // Nothing was started yet, so there is nobody who could say that it stopped.
    closeTurn(desk, { ...turn, stoppedBy: by.name }, "stopped", noWork);
  } else {
    sendControl(desk, process, "interrupt", interrupt);
  }
  return { stopping: true, dropped };
}

/** After Claude's reply to an interrupt: a turn that it never began gets no result, so it is closed here. */
export function settleStopped(desk: Desk, sessionId: SessionId, work: Work): void {
  const turn = desk.store.turns.openOf(sessionId);
  if (turn?.stoppedBy === undefined || work.turn !== undefined) return;
  const process = desk.store.processes.liveOf(sessionId);
  if (process !== undefined && desk.store.prompts.ofProcess(process.id, "sent").length > 0) return;
  closeTurn(desk, turn, "stopped", work);
}

/** No process could be started: the thread is told why, and the prompts stay the person's to repeat. */
export function settleStartFailure(
  desk: Desk,
  session: Session,
  failed: { message: string; process?: Process; ok: false },
): void {
  const { store } = desk;
  if (failed.process !== undefined) store.processes.ended(failed.process.id, undefined, desk.clock());
  const sent = failed.process === undefined ? [] : store.prompts.ofProcess(failed.process.id, "sent");
  const prompts = [...sent, ...store.prompts.inThread(session.threadId, "queued")];
  for (const prompt of prompts) store.prompts.move(prompt.id, "lost");
  const turn = store.turns.openOf(session.id);
  if (turn !== undefined) closeTurn(desk, turn, "failed", noWork);
  const first = prompts[0];
  desk.present.show(
    session.threadId,
    {
      kind: "notice",
      tone: "error",
      text: failed.message,
      ...(first === undefined
        ? {}
        : { actions: [{ label: "Try again", tap: { verb: "retry", promptId: first.id } }] }),
    },
    { lane: "answer" },
  );
}
