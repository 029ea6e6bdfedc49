import type { TurnEnd } from "../core/agent-event.ts";
import type { CardId, ProcessId, TurnId } from "../core/ids.ts";
import { noWork, type Work } from "../core/work.ts";
import type { Session } from "../store/sessions.ts";
import type { Turn } from "../store/turns.ts";
import type { Desk } from "./desk.ts";
import { shortId } from "./new-id.ts";
import { progressView } from "./progress-view.ts";

/** A turn begins, with a progress card that never notifies. */
export function openTurn(desk: Desk, session: Session, origin: Turn["origin"]): Turn {
  const id = shortId<TurnId>();
  const draft: Turn = {
    id,
    threadId: session.threadId,
    sessionId: session.id,
    origin,
    state: "open",
    startedAt: desk.clock(),
  };
  const cardId: CardId = desk.present.show(session.threadId, progressView(desk, draft, noWork), {
    lane: "progress",
  });
  desk.store.sessions.touch(session.id, desk.clock());
  return desk.store.turns.add(
    { id, threadId: session.threadId, sessionId: session.id, origin, cardId },
    desk.clock(),
  );
}

/** Prompts that Claude has not read yet are its next turn; it shows at once that they are not forgotten. */
export function openTurnIfAwaited(desk: Desk, session: Session, processId: ProcessId | undefined): void {
  const { store } = desk;
  if (store.turns.openOf(session.id) !== undefined) return;
  const isCurrent = store.threads.get(session.threadId).sessionId === session.id;
  const queued = isCurrent ? store.prompts.inThread(session.threadId, "queued").length : 0;
  const sent = processId === undefined ? 0 : store.prompts.ofProcess(processId, "sent").length;
  if (queued + sent > 0) openTurn(desk, session, "prompt");
}

/** A turn is over: its figures are kept, its progress card says how it ended. */
export function closeTurn(
  desk: Desk,
  turn: Turn,
  how: "done" | "failed" | "stopped",
  work: Work,
  end?: TurnEnd,
): number {
  const costUsd = end === undefined ? 0 : desk.store.sessions.addTotal(turn.sessionId, end.totalCostUsd);
  const figures = end && { costUsd, inputTokens: end.tokens.input, outputTokens: end.tokens.output };
  desk.store.turns.close(turn.id, how, figures, desk.clock());
  if (turn.cardId !== undefined) {
    const view = progressView(desk, turn, work, { how, at: desk.clock() });
    desk.present.close(turn.cardId, view, "progress");
  }
  return costUsd;
}
