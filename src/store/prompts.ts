import type { CardId, ProcessId, PromptId, SessionId, ThreadId } from "../core/ids.ts";
import type { Db } from "./database.ts";

/**
 * gathering: a long paste may still go on; queued: for the next process; held: a request waits first; sent: written to a
 * process; taken: Claude echoed it; done: its turn ended; cancelled: by the person; lost: Claude's process or conversation ended first.
 */
export type PromptState = "gathering" | "queued" | "held" | "sent" | "taken" | "done" | "cancelled" | "lost";

export type Prompt = {
  id: PromptId;
  threadId: ThreadId;
  sessionId?: SessionId;
  processId?: ProcessId;
  text: string;
  state: PromptState;
  messageId?: number;
  /** The card that says what it waits for. */
  cardId?: CardId;
  author: string;
  authorId: number;
  settleAt?: number;
  tries: number;
  createdAt: number;
};

type Row = {
  id: PromptId;
  thread_id: ThreadId;
  session_id: SessionId | null;
  process_id: ProcessId | null;
  text: string;
  state: PromptState;
  message_id: number | null;
  card_id: CardId | null;
  author: string;
  author_id: number;
  settle_at: number | null;
  tries: number;
  created_at: number;
};

/** What people asked of Claude, each done once whatever dies in between. */
export function promptRows(db: Db) {
  const byId = db.prepare<[PromptId], Row>("SELECT * FROM prompts WHERE id = ?");
  const insert = db.prepare(
    "INSERT INTO prompts (id, thread_id, text, state, message_id, author, author_id, settle_at, tries, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const inState = db.prepare<[ThreadId, PromptState], Row>(
    "SELECT * FROM prompts WHERE thread_id = ? AND state = ? ORDER BY seq",
  );
  const ofSession = db.prepare<[SessionId, PromptState], Row>(
    "SELECT * FROM prompts WHERE session_id = ? AND state = ? ORDER BY seq",
  );
  const ofProcess = db.prepare<[ProcessId, PromptState], Row>(
    "SELECT * FROM prompts WHERE process_id = ? AND state = ? ORDER BY seq",
  );
  const anywhere = db.prepare<[PromptState], Row>("SELECT * FROM prompts WHERE state = ? ORDER BY seq");
  const setState = db.prepare("UPDATE prompts SET state = ? WHERE id = ?");
  const setCard = db.prepare("UPDATE prompts SET card_id = ? WHERE id = ?");
  const setText = db.prepare("UPDATE prompts SET text = ?, settle_at = ? WHERE id = ?");
  const setSent = db.prepare(
    "UPDATE prompts SET state = 'sent', session_id = ?, process_id = ?, tries = tries + 1 WHERE id = ?",
  );
  const setTaken = db.prepare("UPDATE prompts SET state = 'taken' WHERE id = ? AND state = 'sent'");

  return {
    get(id: PromptId): Prompt | undefined {
      const row = byId.get(id);
      return row && toPrompt(row);
    },
    add(prompt: Prompt): void {
      insert.run(
        prompt.id,
        prompt.threadId,
        prompt.text,
        prompt.state,
        prompt.messageId ?? null,
        prompt.author,
        prompt.authorId,
        prompt.settleAt ?? null,
        prompt.tries,
        prompt.createdAt,
      );
    },
    inThread: (threadId: ThreadId, state: PromptState): Prompt[] =>
      inState.all(threadId, state).map(toPrompt),
    inSession: (sessionId: SessionId, state: PromptState): Prompt[] =>
      ofSession.all(sessionId, state).map(toPrompt),
    ofProcess: (processId: ProcessId, state: PromptState): Prompt[] =>
      ofProcess.all(processId, state).map(toPrompt),
    everywhere: (state: PromptState): Prompt[] => anywhere.all(state).map(toPrompt),
    move(id: PromptId, state: PromptState): void {
      setState.run(state, id);
    },
    shownOn(id: PromptId, cardId: CardId): void {
      setCard.run(cardId, id);
    },
    /** Another piece of the same paste. */
    extend(id: PromptId, text: string, settleAt: number): void {
      setText.run(text, settleAt, id);
    },
    sent(id: PromptId, sessionId: SessionId, processId: ProcessId): void {
      setSent.run(sessionId, processId, id);
    },
    /** True the first time Claude says that it read the prompt. */
    taken: (id: PromptId): boolean => setTaken.run(id).changes === 1,
  };
}

function toPrompt(row: Row): Prompt {
  return {
    id: row.id,
    threadId: row.thread_id,
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    ...(row.process_id === null ? {} : { processId: row.process_id }),
    text: row.text,
    state: row.state,
    ...(row.message_id === null ? {} : { messageId: row.message_id }),
    ...(row.card_id === null ? {} : { cardId: row.card_id }),
    author: row.author,
    authorId: row.author_id,
    ...(row.settle_at === null ? {} : { settleAt: row.settle_at }),
    tries: row.tries,
    createdAt: row.created_at,
  };
}
