/** The first shape of the store. Shipped migrations are never edited: add a new one. */
export const firstShape = `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE threads (
  id TEXT PRIMARY KEY,
  chat_id INTEGER NOT NULL,
  topic_id INTEGER NOT NULL DEFAULT 0,
  chat_kind TEXT NOT NULL CHECK (chat_kind IN ('private', 'group')),
  enabled INTEGER NOT NULL DEFAULT 0,
  project TEXT,
  session_id TEXT REFERENCES sessions (id),
  plan_mode TEXT CHECK (plan_mode IN ('on', 'off', 'auto')),
  pauses INTEGER NOT NULL DEFAULT 0,
  paused_at INTEGER,
  auto_denials INTEGER NOT NULL DEFAULT 0,
  outline TEXT NOT NULL DEFAULT '',
  paused_plan TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  UNIQUE (chat_id, topic_id)
) STRICT;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  thread_id TEXT NOT NULL REFERENCES threads (id),
  project TEXT NOT NULL,
  claude_id TEXT NOT NULL,
  -- 'none': never started; 'tried': started, nothing proves a conversation; 'kept': a result was seen, so it can be resumed
  conversation TEXT NOT NULL DEFAULT 'none' CHECK (conversation IN ('none', 'tried', 'kept')),
  mode TEXT,
  model TEXT,
  cost REAL NOT NULL DEFAULT 0,
  last_total REAL NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_thread ON sessions (thread_id, project, used_at);

CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  folder TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('starting', 'running', 'ending', 'ended')),
  pid INTEGER,
  start_time TEXT,
  opened TEXT NOT NULL CHECK (opened IN ('fresh', 'resumed')),
  trusted INTEGER NOT NULL,
  out_offset INTEGER NOT NULL DEFAULT 0,
  in_bytes INTEGER NOT NULL DEFAULT 0,
  exit_code INTEGER,
  -- Why it is being ended; 'broken' is told to the thread, all else was wanted.
  ending TEXT CHECK (ending IN ('wanted', 'broken')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
-- One live process a session: a second one cannot even be written.
CREATE UNIQUE INDEX one_live_process ON processes (session_id) WHERE state <> 'ended';

-- The bytes that belong into a process's in.jsonl; start is the position in that log.
CREATE TABLE to_send (
  process_id TEXT NOT NULL REFERENCES processes (id) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  line BLOB NOT NULL,
  PRIMARY KEY (process_id, start)
) STRICT;

-- Control requests of ours that a process has not replied to yet. what: the request, and the mode it asked for.
CREATE TABLE awaited (
  process_id TEXT NOT NULL REFERENCES processes (id) ON DELETE CASCADE,
  wire_id TEXT NOT NULL,
  what TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (process_id, wire_id)
) STRICT;

CREATE TABLE prompts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  thread_id TEXT NOT NULL REFERENCES threads (id),
  session_id TEXT REFERENCES sessions (id),
  process_id TEXT REFERENCES processes (id),
  text TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('gathering', 'queued', 'held', 'sent', 'taken', 'done', 'cancelled', 'lost')),
  message_id INTEGER,
  card_id TEXT,
  author TEXT NOT NULL,
  author_id INTEGER NOT NULL,
  settle_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX prompts_by_state ON prompts (thread_id, state);
CREATE INDEX prompts_underway ON prompts (state) WHERE state IN ('gathering', 'queued', 'held', 'sent', 'taken');
CREATE INDEX prompts_by_process ON prompts (process_id, state);

CREATE TABLE turns (
  id TEXT PRIMARY KEY,
  thread_id TEXT NOT NULL REFERENCES threads (id),
  session_id TEXT NOT NULL REFERENCES sessions (id),
  origin TEXT NOT NULL CHECK (origin IN ('prompt', 'background')),
  state TEXT NOT NULL CHECK (state IN ('open', 'done', 'failed', 'stopped')),
  card_id TEXT,
  stopped_by TEXT,
  cost REAL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE UNIQUE INDEX one_open_turn ON turns (session_id) WHERE state = 'open';

CREATE TABLE requests (
  id TEXT PRIMARY KEY,
  thread_id TEXT NOT NULL REFERENCES threads (id),
  session_id TEXT NOT NULL REFERENCES sessions (id),
  process_id TEXT NOT NULL REFERENCES processes (id),
  wire_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('tool', 'plan', 'question')),
  ask TEXT NOT NULL,
  detail TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'decided', 'withdrawn', 'ended')),
  decision TEXT,
  card_id TEXT,
  asked_at INTEGER NOT NULL,
  over_at INTEGER,
  UNIQUE (process_id, wire_id)
) STRICT;
CREATE INDEX requests_waiting ON requests (thread_id) WHERE state = 'waiting';
CREATE INDEX requests_by_card ON requests (card_id);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  who_id INTEGER,
  what TEXT NOT NULL,
  tool TEXT,
  subject TEXT,
  rule TEXT,
  thread_id TEXT,
  session_id TEXT,
  request_id TEXT
) STRICT;
CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_is_append_only_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append only'); END;
-- INSERT OR REPLACE deletes without a delete trigger.
CREATE TRIGGER audit_is_append_only_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = new.id)
BEGIN SELECT RAISE(ABORT, 'audit is append only'); END;

-- What a person allowed beyond once, in Claude's notation; Claude itself enforces it.
CREATE TABLE rules (
  id INTEGER PRIMARY KEY,
  folder TEXT NOT NULL,
  rule TEXT NOT NULL,
  reach TEXT NOT NULL CHECK (reach IN ('session', 'project')),
  by_name TEXT NOT NULL,
  by_id INTEGER NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  added_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rules_by_folder ON rules (folder);

CREATE TABLE trust (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  brings TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('asked', 'trusted', 'refused', 'outdated')),
  by_name TEXT,
  card_id TEXT,
  thread_id TEXT NOT NULL REFERENCES threads (id),
  asked_at INTEGER NOT NULL,
  decided_at INTEGER,
  UNIQUE (path, fingerprint)
) STRICT;

-- Every update is a row before it is confirmed to Telegram. seq is the order of arrival: after a week without updates
-- Telegram starts its update ids anew at any number, also a lower one.
CREATE TABLE inbox (
  seq INTEGER PRIMARY KEY,
  update_id INTEGER NOT NULL UNIQUE,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('new', 'done', 'failed')),
  error TEXT,
  received_at INTEGER NOT NULL,
  done_at INTEGER
) STRICT;
CREATE INDEX inbox_new ON inbox (seq) WHERE state = 'new';

-- A card is one Telegram message over its whole life; message_id is known once it was sent.
-- shown: the fingerprint of what the message certainly says; null while a call is out or its outcome is in doubt.
CREATE TABLE cards (
  id TEXT PRIMARY KEY,
  thread_id TEXT NOT NULL REFERENCES threads (id),
  message_id INTEGER,
  shown TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX cards_by_message ON cards (thread_id, message_id);

-- What is to be said to Telegram. lane: 0 request, 1 answer, 2 progress. batch: rows that go together, in order.
-- dropped: no longer worth a call, because something newer says it. server_errors: how often Telegram itself failed on it.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  thread_id TEXT NOT NULL REFERENCES threads (id),
  card_id TEXT REFERENCES cards (id),
  lane INTEGER NOT NULL CHECK (lane IN (0, 1, 2)),
  batch TEXT,
  op TEXT NOT NULL CHECK (op IN ('send', 'edit', 'document', 'react')),
  state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'dropped')),
  server_errors INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  created_at INTEGER NOT NULL,
  done_at INTEGER,
  -- The last column: to read the others, SQLite need not go through a long text.
  payload TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_open ON outbox (lane, id) WHERE state IN ('queued', 'sending');
CREATE INDEX outbox_by_card ON outbox (card_id);
CREATE INDEX outbox_by_batch ON outbox (batch, state) WHERE batch IS NOT NULL;
`;
