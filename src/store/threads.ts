import type { SessionId, ThreadId } from "../core/ids.ts";
import type { PlanGate } from "../core/plan-gate.ts";
import type { Db } from "./database.ts";

export type ChatKind = "private" | "group";
export type PlanSetting = "on" | "off" | "auto";

/** One conversation place, with its prefs. */
export type Thread = {
  id: ThreadId;
  chatId: number;
  /** 0: the chat has no topics, or this is its main one. */
  topicId: number;
  chatKind: ChatKind;
  enabled: boolean;
  project?: string;
  sessionId?: SessionId;
  /** What /planmode set; absent: the config decides. */
  planMode?: PlanSetting;
  gate: PlanGate;
};

type Row = {
  id: ThreadId;
  chat_id: number;
  topic_id: number;
  chat_kind: ChatKind;
  enabled: number;
  project: string | null;
  session_id: SessionId | null;
  plan_mode: PlanSetting | null;
  pauses: number;
  paused_at: number | null;
  auto_denials: number;
  outline: string;
  paused_plan: string;
};

/** Conversation places: found by chat and topic, kept for ever. */
export function threadRows(db: Db) {
  const byId = db.prepare<[ThreadId], Row>("SELECT * FROM threads WHERE id = ?");
  const byPlace = db.prepare<[number, number], Row>(
    "SELECT * FROM threads WHERE chat_id = ? AND topic_id = ?",
  );
  const insert = db.prepare(
    "INSERT INTO threads (id, chat_id, topic_id, chat_kind, enabled, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const setEnabled = db.prepare("UPDATE threads SET enabled = ? WHERE id = ?");
  const setProject = db.prepare("UPDATE threads SET project = ? WHERE id = ?");
  const setSession = db.prepare("UPDATE threads SET session_id = ? WHERE id = ?");
  const setPlanMode = db.prepare("UPDATE threads SET plan_mode = ? WHERE id = ?");
  const setGate = db.prepare(
    "UPDATE threads SET pauses = ?, paused_at = ?, auto_denials = ?, outline = ?, paused_plan = ? WHERE id = ?",
  );
  const ofChat = db.prepare<[number], Row>("SELECT * FROM threads WHERE chat_id = ?");
  const move = db.prepare<[number, number], Row>(
    "UPDATE OR IGNORE threads SET chat_id = ? WHERE chat_id = ? RETURNING *",
  );
  // A thread that stands at the new place and was never used makes room for the one that comes.
  const stepAside = db.prepare(
    `DELETE FROM threads WHERE chat_id = ? AND session_id IS NULL
       AND topic_id IN (SELECT topic_id FROM threads WHERE chat_id = ?)
       AND NOT EXISTS (SELECT 1 FROM outbox WHERE thread_id = threads.id)
       AND NOT EXISTS (SELECT 1 FROM cards WHERE thread_id = threads.id)
       AND NOT EXISTS (SELECT 1 FROM prompts WHERE thread_id = threads.id)
       AND NOT EXISTS (SELECT 1 FROM sessions WHERE thread_id = threads.id)
       AND NOT EXISTS (SELECT 1 FROM trust WHERE thread_id = threads.id)`,
  );
  const privateOf = db.prepare<[], Row>(
    "SELECT * FROM threads WHERE chat_kind = 'private' AND topic_id = 0 ORDER BY created_at",
  );

  return {
    get(id: ThreadId): Thread {
      const row = byId.get(id);
      if (row === undefined) throw new Error(`there is no thread ${id}`);
      return toThread(row);
    },
    at(chatId: number, topicId: number): Thread | undefined {
      const row = byPlace.get(chatId, topicId);
      return row && toThread(row);
    },
    add(
      thread: { id: ThreadId; chatId: number; topicId: number; chatKind: ChatKind; enabled: boolean },
      now: number,
    ): Thread {
      insert.run(thread.id, thread.chatId, thread.topicId, thread.chatKind, Number(thread.enabled), now);
      return { ...thread, gate: { pauses: 0, denials: 0, outline: "", pausedPlan: "" } };
    },
    enable(id: ThreadId): void {
      setEnabled.run(1, id);
    },
    choose(id: ThreadId, project: string): void {
      setProject.run(project, id);
    },
    bind(id: ThreadId, sessionId: SessionId | undefined): void {
      setSession.run(sessionId ?? null, id);
    },
    setPlanMode(id: ThreadId, setting: PlanSetting | undefined): void {
      setPlanMode.run(setting ?? null, id);
    },
    setGate(id: ThreadId, gate: PlanGate): void {
      setGate.run(gate.pauses, gate.pausedAt ?? null, gate.denials, gate.outline, gate.pausedPlan, id);
    },
    inChat(chatId: number): Thread[] {
      return ofChat.all(chatId).map(toThread);
    },
    /** Private chats: where an owner is told what could not be said elsewhere. */
    privateOnes(): Thread[] {
      return privateOf.all().map(toThread);
    },
    /** A group became a supergroup: its threads go on under the new chat id, unless one stands at their place there. */
    moveChat(from: number, to: number): Thread[] {
      if (from === to) return [];
      stepAside.run(to, from);
      return move.all(to, from).map(toThread);
    },
  };
}

function toThread(row: Row): Thread {
  return {
    id: row.id,
    chatId: row.chat_id,
    topicId: row.topic_id,
    chatKind: row.chat_kind,
    enabled: row.enabled === 1,
    ...(row.project === null ? {} : { project: row.project }),
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    ...(row.plan_mode === null ? {} : { planMode: row.plan_mode }),
    gate: {
      pauses: row.pauses,
      ...(row.paused_at === null ? {} : { pausedAt: row.paused_at }),
      denials: row.auto_denials,
      outline: row.outline,
      pausedPlan: row.paused_plan,
    },
  };
}
