import type { ProcessId, SessionId } from "../core/ids.ts";
import type { Db } from "./database.ts";

/** broken: Claude stopped answering, and the thread is told; wanted: nobody needs to be told. */
export type Ending = "wanted" | "broken";
export type ProcessState = "starting" | "running" | "ending" | "ended";

/** One start of `claude`: its folder, how far its output was read, and which operating-system process it is. */
export type Process = {
  id: ProcessId;
  sessionId: SessionId;
  folder: string;
  state: ProcessState;
  os?: { pid: number; startTime: string };
  opened: "fresh" | "resumed";
  trusted: boolean;
  /** Why it is being ended. */
  ending?: Ending;
  outOffset: number;
  startedAt: number;
};

type Row = {
  id: ProcessId;
  session_id: SessionId;
  folder: string;
  state: ProcessState;
  pid: number | null;
  start_time: string | null;
  opened: "fresh" | "resumed";
  trusted: number;
  ending: Ending | null;
  out_offset: number;
  in_bytes: number;
  started_at: number;
};

/** Starts of `claude`, and the bytes each one is to be sent: position in its log is the sum of what came before. */
export function processRows(db: Db) {
  const byId = db.prepare<[ProcessId], Row>("SELECT * FROM processes WHERE id = ?");
  const live = db.prepare<[], Row>(
    "SELECT * FROM processes WHERE state <> 'ended' ORDER BY started_at, rowid",
  );
  const liveOf = db.prepare<[SessionId], Row>(
    "SELECT * FROM processes WHERE session_id = ? AND state <> 'ended'",
  );
  const insert = db.prepare(
    "INSERT INTO processes (id, session_id, folder, state, opened, trusted, started_at) VALUES (?, ?, ?, 'starting', ?, ?, ?)",
  );
  const started = db.prepare(
    "UPDATE processes SET pid = ?, start_time = ?, state = iif(state = 'starting', 'running', state) WHERE id = ?",
  );
  const ending = db.prepare(
    "UPDATE processes SET state = 'ending', ending = coalesce(ending, ?) WHERE id = ? AND state <> 'ended'",
  );
  const ended = db.prepare("UPDATE processes SET state = 'ended', exit_code = ?, ended_at = ? WHERE id = ?");
  const setOffset = db.prepare("UPDATE processes SET out_offset = ? WHERE id = ?");
  const grow = db.prepare("UPDATE processes SET in_bytes = in_bytes + ? WHERE id = ?");
  const insertLine = db.prepare("INSERT INTO to_send (process_id, start, line) VALUES (?, ?, ?)");
  const lineAt = db.prepare<[ProcessId, number], { start: number; line: Buffer }>(
    "SELECT start, line FROM to_send WHERE process_id = ? AND start <= ? ORDER BY start DESC LIMIT 1",
  );
  const forget = db.prepare("DELETE FROM to_send WHERE process_id = ?");
  const foldersToRemove = db.prepare<[], { id: ProcessId; folder: string }>(
    "SELECT id, folder FROM processes WHERE state = 'ended' AND folder <> ''",
  );
  const removed = db.prepare("UPDATE processes SET folder = '' WHERE id = ?");

  const get = (id: ProcessId): Row => {
    const row = byId.get(id);
    if (row === undefined) throw new Error(`there is no process ${id}`);
    return row;
  };

  // A row without its bytes counted would block every later one, so the two go together.
  const append = db.transaction((id: ProcessId, bytes: Buffer) => {
    insertLine.run(id, get(id).in_bytes, bytes);
    grow.run(bytes.length, id);
  });
  const end = db.transaction((id: ProcessId, exitCode: number | undefined, now: number) => {
    ended.run(exitCode ?? null, now, id);
    forget.run(id);
  });

  return {
    get: (id: ProcessId): Process => toProcess(get(id)),
    live: (): Process[] => live.all().map(toProcess),
    liveOf(sessionId: SessionId): Process | undefined {
      const row = liveOf.get(sessionId);
      return row && toProcess(row);
    },
    /** The row precedes the spawn, so that no process can run that no row knows. */
    add(process: Pick<Process, "id" | "sessionId" | "folder" | "opened" | "trusted">, now: number): Process {
      const { id, sessionId, folder, opened, trusted } = process;
      insert.run(id, sessionId, folder, opened, Number(trusted), now);
      return { ...process, state: "starting", outOffset: 0, startedAt: now };
    },
    started(id: ProcessId, os: { pid: number; startTime: string }): void {
      started.run(os.pid, os.startTime, id);
    },
    ending(id: ProcessId, why: Ending): void {
      ending.run(why, id);
    },
    ended(id: ProcessId, exitCode: number | undefined, now: number): void {
      end(id, exitCode, now);
    },
    readTo(id: ProcessId, outOffset: number): void {
      setOffset.run(outOffset, id);
    },
    /** Adds a line to what the process is to be sent. */
    append(id: ProcessId, line: string): void {
      append(id, Buffer.from(line, "utf8"));
    },
    /** The bytes that belong at this position of the log; undefined when there are none yet. */
    bytesFrom(id: ProcessId, offset: number): Buffer | undefined {
      const row = lineAt.get(id, offset);
      if (row === undefined || offset >= row.start + row.line.length) return undefined;
      return row.line.subarray(offset - row.start);
    },
    foldersToRemove: () => foldersToRemove.all(),
    folderRemoved(id: ProcessId): void {
      removed.run(id);
    },
  };
}

function toProcess(row: Row): Process {
  return {
    id: row.id,
    sessionId: row.session_id,
    folder: row.folder,
    state: row.state,
    ...(row.pid === null || row.start_time === null
      ? {}
      : { os: { pid: row.pid, startTime: row.start_time } }),
    opened: row.opened,
    trusted: row.trusted === 1,
    ...(row.ending === null ? {} : { ending: row.ending }),
    outOffset: row.out_offset,
    startedAt: row.started_at,
  };
}
