/** What the order of sending depends on. */
export type OpenRow = {
  id: number;
  threadId: string;
  /** 0 is the most urgent. */
  lane: number;
  batch: string | null;
  op: "send" | "edit" | "document" | "react";
  state: "queued" | "sending";
  notBefore: number;
  /** How often Telegram itself failed on this row. */
  serverErrors: number;
  /** The card's message exists, so that it can be edited; 0 or 1, as SQLite says it. */
  placed: number;
  /** Part of its batch has gone out already. */
  begun: number;
};

/** After so many failures of Telegram's own on one row, those behind it no longer wait for it. */
const patience = 12;

/**
 * The rows that may go next, the most urgent first: of each thread the head of every lane, and while the parts of an
 * answer are going out, only those. Whoever cannot send one of them now may send the next.
 * The open rows come sorted by lane, then by age.
 */
export function nextInLine<Row extends OpenRow>(open: readonly Row[], now: number): Row[] {
  return [...byThread(open).values()]
    .flatMap((rows) => nextOfThread(rows, now))
    .sort((a, b) => a.lane - b.lane || a.id - b.id);
}

function nextOfThread<Row extends OpenRow>(rows: readonly Row[], now: number): Row[] {
  if (rows.some((row) => row.state === "sending")) return [];
  const ready = withoutLaterParts(rows).filter(
    (row) => row.notBefore <= now && (row.op !== "edit" || row.placed === 1),
  );
  const part = rows.find((row) => row.begun === 1 && row.serverErrors < patience);
  if (part === undefined) return headsOfLanes(ready);
  return [...headsOfLanes(ready.filter((row) => row.lane < part.lane && splitsNothing(row))), part];
}

/** An edit or a reaction is no message, so it can go between the parts of an answer. */
function splitsNothing(row: OpenRow): boolean {
  return row.op === "edit" || row.op === "react";
}

/** A part waits for the parts before it, also for one that is not due yet. */
function withoutLaterParts<Row extends OpenRow>(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (row.batch === null) return true;
    const first = !seen.has(row.batch);
    seen.add(row.batch);
    return first;
  });
}

function headsOfLanes<Row extends OpenRow>(rows: readonly Row[]): Row[] {
  const closed = new Set<number>();
  return rows.filter((row) => {
    if (closed.has(row.lane)) return false;
    if (row.serverErrors < patience) closed.add(row.lane);
    return true;
  });
}

function byThread<Row extends OpenRow>(rows: readonly Row[]): Map<string, Row[]> {
  const threads = new Map<string, Row[]>();
  for (const row of rows) {
    const thread = threads.get(row.threadId);
    if (thread === undefined) threads.set(row.threadId, [row]);
    else thread.push(row);
  }
  return threads;
}
