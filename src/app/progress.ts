import type { SessionId, TurnId } from "../core/ids.ts";
import { noWork, type Work } from "../core/work.ts";
import type { Desk } from "./desk.ts";
import { progressView } from "./progress-view.ts";

/** The shortest time between two changes of a progress card: Telegram dislikes more, and nobody reads faster. */
const SPACING_MS = 2_000;

/** Keeps the progress cards of open turns current: changed ones soon, the clock on all of them now and then. */
export function createProgress(desk: Desk, workOf: (sessionId: SessionId) => Work | undefined) {
  const shownAt = new Map<TurnId, number>();
  const dirty = new Set<SessionId>();

  function show(sessionId: SessionId): void {
    const turn = desk.store.turns.openOf(sessionId);
    if (turn?.cardId === undefined) return;
    shownAt.set(turn.id, desk.clock());
    // The elapsed time is drawn coarsely, and an edit that changes nothing is not sent: see src/telegram/outbox.ts.
    desk.present.refresh(turn.cardId, progressView(desk, turn, workOf(sessionId) ?? noWork), "progress");
  }

  return {
    /** Something happened in this session; its card follows within a tick. */
    changed(sessionId: SessionId): void {
      dirty.add(sessionId);
    },
    /** Call it about twice a second. */
    tick(): void {
      const now = desk.clock();
      const open = desk.store.turns.open();
      for (const turn of open) {
        const age = now - (shownAt.get(turn.id) ?? turn.startedAt);
        const wait = dirty.has(turn.sessionId) ? SPACING_MS : coarseness(now - turn.startedAt);
        if (age < wait) continue;
        dirty.delete(turn.sessionId);
        desk.store.transaction(() => show(turn.sessionId));
      }
      for (const id of dirty) if (!open.some((turn) => turn.sessionId === id)) dirty.delete(id);
      for (const id of shownAt.keys()) if (!open.some((turn) => turn.id === id)) shownAt.delete(id);
    },
  };
}

/** How often a card moves though nothing happened: the longer a turn takes, the less a second matters. */
function coarseness(elapsedMs: number): number {
  return elapsedMs < 60_000 ? 5_000 : 15_000;
}
