import type { Ask } from "../core/agent-event.ts";
import type { FilePreview } from "../core/file-preview.ts";
import type { CardId, ProcessId, RequestId, SessionId, ThreadId } from "../core/ids.ts";
import type { PlanStage } from "../core/plan-gate.ts";
import type { Reach } from "../core/policy.ts";
import type { Form } from "../core/question.ts";
import type { Outcome } from "../core/view.ts";
import type { Db } from "./database.ts";

export type RequestState = "waiting" | "decided" | "withdrawn" | "ended";

/** What a request keeps besides Claude's own words, by its kind. */
export type RequestDetail =
  | {
      kind: "tool";
      armed: boolean;
      /** Where its paths led, and what the file was like, when Claude asked: the card must not change with the disk. */
      reach?: Reach;
      preview?: FilePreview;
    }
  | { kind: "plan"; plan?: string; outline?: string; stage: PlanStage }
  | { kind: "question"; form: Form };

/** One question of Claude's that waits, or has waited, for an answer. */
export type Request = {
  id: RequestId;
  threadId: ThreadId;
  sessionId: SessionId;
  processId: ProcessId;
  ask: Ask;
  detail: RequestDetail;
  state: RequestState;
  outcome?: Outcome;
  cardId?: CardId;
  askedAt: number;
};

type Row = {
  id: RequestId;
  thread_id: ThreadId;
  session_id: SessionId;
  process_id: ProcessId;
  ask: string;
  detail: string;
  state: RequestState;
  decision: string | null;
  card_id: CardId | null;
  asked_at: number;
};

/** Requests: the first decision of a waiting one is the only one. */
export function requestRows(db: Db) {
  const byId = db.prepare<[RequestId], Row>("SELECT * FROM requests WHERE id = ?");
  const byWire = db.prepare<[ProcessId, string], Row>(
    "SELECT * FROM requests WHERE process_id = ? AND wire_id = ?",
  );
  const byCard = db.prepare<[CardId], Row>("SELECT * FROM requests WHERE card_id = ?");
  const insert = db.prepare(
    `INSERT INTO requests (id, thread_id, session_id, process_id, wire_id, kind, ask, detail, state, asked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?)`,
  );
  const setCard = db.prepare("UPDATE requests SET card_id = ? WHERE id = ?");
  const setDetail = db.prepare("UPDATE requests SET detail = ? WHERE id = ? AND state = 'waiting'");
  // The one place where a request stops waiting. Whoever changes no row came too late.
  const close = db.prepare(
    "UPDATE requests SET state = ?, decision = ?, over_at = ? WHERE id = ? AND state = 'waiting'",
  );
  const waitingIn = db.prepare<[ThreadId], Row>(
    "SELECT * FROM requests WHERE thread_id = ? AND state = 'waiting' ORDER BY asked_at, rowid",
  );
  const waitingOf = db.prepare<[ProcessId], Row>(
    "SELECT * FROM requests WHERE process_id = ? AND state = 'waiting' ORDER BY asked_at, rowid",
  );
  const waitingSince = db.prepare<[number], Row>(
    "SELECT * FROM requests WHERE state = 'waiting' AND card_id IS NOT NULL AND asked_at <= ? ORDER BY asked_at, rowid",
  );
  const unreminded = db.prepare<[number], Row>(
    `SELECT * FROM requests WHERE state = 'waiting' AND card_id IS NOT NULL AND asked_at <= ? AND reminded_at IS NULL
     ORDER BY asked_at, rowid`,
  );
  const setReminded = db.prepare("UPDATE requests SET reminded_at = ? WHERE id = ?");
  const waiting = db.prepare<[], Row>(
    "SELECT * FROM requests WHERE state = 'waiting' ORDER BY asked_at, rowid",
  );

  return {
    get(id: RequestId): Request | undefined {
      const row = byId.get(id);
      return row && toRequest(row);
    },
    byWire(processId: ProcessId, wireId: string): Request | undefined {
      const row = byWire.get(processId, wireId);
      return row && toRequest(row);
    },
    byCard(cardId: CardId): Request | undefined {
      const row = byCard.get(cardId);
      return row && toRequest(row);
    },
    add(request: Omit<Request, "state" | "askedAt" | "cardId" | "outcome">, now: number): Request {
      const { id, threadId, sessionId, processId, ask, detail } = request;
      insert.run(
        id,
        threadId,
        sessionId,
        processId,
        ask.wireId,
        detail.kind,
        JSON.stringify(ask),
        JSON.stringify(detail),
        now,
      );
      return { ...request, state: "waiting", askedAt: now };
    },
    shownOn(id: RequestId, cardId: CardId): void {
      setCard.run(cardId, id);
    },
    setDetail(id: RequestId, detail: RequestDetail): void {
      setDetail.run(JSON.stringify(detail), id);
    },
    /** Ends the waiting; false when it was over already, and then nothing has changed. */
    close(id: RequestId, state: Exclude<RequestState, "waiting">, outcome: Outcome, now: number): boolean {
      return close.run(state, JSON.stringify(outcome), now, id).changes === 1;
    },
    waitingIn: (threadId: ThreadId): Request[] => waitingIn.all(threadId).map(toRequest),
    waitingOf: (processId: ProcessId): Request[] => waitingOf.all(processId).map(toRequest),
    waiting: (): Request[] => waiting.all().map(toRequest),
    /** Those on a card that were asked at this time or before, and still wait. */
    waitingSince: (time: number): Request[] => waitingSince.all(time).map(toRequest),
    /** Of these, those of which nobody was reminded yet. */
    unremindedSince: (time: number): Request[] => unreminded.all(time).map(toRequest),
    reminded(id: RequestId, now: number): void {
      setReminded.run(now, id);
    },
  };
}

// The JSON in these columns is written by this file alone, so its shape is known.
function toRequest(row: Row): Request {
  return {
    id: row.id,
    threadId: row.thread_id,
    sessionId: row.session_id,
    processId: row.process_id,
    ask: JSON.parse(row.ask) as Ask,
    detail: JSON.parse(row.detail) as RequestDetail,
    state: row.state,
    ...(row.decision === null ? {} : { outcome: JSON.parse(row.decision) as Outcome }),
    ...(row.card_id === null ? {} : { cardId: row.card_id }),
    askedAt: row.asked_at,
  };
}
