import type { CardId, SessionId, ThreadId, TurnId } from "../core/ids.ts";
import type { Db } from "./database.ts";

export type TurnState = "open" | "done" | "failed" | "stopped";

/** From a prompt, or a background wake-up, to a result. */
export type Turn = {
  id: TurnId;
  threadId: ThreadId;
  sessionId: SessionId;
  origin: "prompt" | "background";
  state: TurnState;
  cardId?: CardId;
  /** Who asked for it to stop. */
  stoppedBy?: string;
  startedAt: number;
};

type Row = {
  id: TurnId;
  thread_id: ThreadId;
  session_id: SessionId;
  origin: "prompt" | "background";
  state: TurnState;
  card_id: CardId | null;
  stopped_by: string | null;
  started_at: number;
};

export type TurnFigures = { costUsd: number; inputTokens: number; outputTokens: number };

/** Turns and what they cost. */
export function turnRows(db: Db) {
  const byId = db.prepare<[TurnId], Row>("SELECT * FROM turns WHERE id = ?");
  const openOf = db.prepare<[SessionId], Row>("SELECT * FROM turns WHERE session_id = ? AND state = 'open'");
  const allOpen = db.prepare<[], Row>("SELECT * FROM turns WHERE state = 'open' ORDER BY started_at");
  const insert = db.prepare(
    "INSERT INTO turns (id, thread_id, session_id, origin, state, card_id, started_at) VALUES (?, ?, ?, ?, 'open', ?, ?)",
  );
  const stop = db.prepare("UPDATE turns SET stopped_by = ? WHERE id = ? AND state = 'open'");
  const close = db.prepare(
    "UPDATE turns SET state = ?, cost = ?, input_tokens = ?, output_tokens = ?, ended_at = ? WHERE id = ? AND state = 'open'",
  );

  return {
    get(id: TurnId): Turn | undefined {
      const row = byId.get(id);
      return row && toTurn(row);
    },
    openOf(sessionId: SessionId): Turn | undefined {
      const row = openOf.get(sessionId);
      return row && toTurn(row);
    },
    open: (): Turn[] => allOpen.all().map(toTurn),
    add(
      turn: Pick<Turn, "id" | "threadId" | "sessionId" | "origin"> & { cardId: CardId },
      now: number,
    ): Turn {
      insert.run(turn.id, turn.threadId, turn.sessionId, turn.origin, turn.cardId, now);
      return { ...turn, state: "open", startedAt: now };
    },
    stoppedBy(id: TurnId, who: string): void {
      stop.run(who, id);
    },
    close(
      id: TurnId,
      state: Exclude<TurnState, "open">,
      figures: TurnFigures | undefined,
      now: number,
    ): void {
      close.run(
        state,
        figures?.costUsd ?? null,
        figures?.inputTokens ?? null,
        figures?.outputTokens ?? null,
        now,
        id,
      );
    },
  };
}

function toTurn(row: Row): Turn {
  return {
    id: row.id,
    threadId: row.thread_id,
    sessionId: row.session_id,
    origin: row.origin,
    state: row.state,
    ...(row.card_id === null ? {} : { cardId: row.card_id }),
    ...(row.stopped_by === null ? {} : { stoppedBy: row.stopped_by }),
    startedAt: row.started_at,
  };
}
