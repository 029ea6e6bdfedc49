import type { CardId } from "../core/ids.ts";
import { backoff } from "./backoff.ts";
import type { CallResult } from "./call.ts";
import type { Delivered, Destination } from "./deliver.ts";
import type { Candidate, ClaimedRow, OutboxOptions } from "./outbox-ports.ts";
import { readParcel } from "./outgoing.ts";
import { createPacing, telegramLimits } from "./pacing.ts";

/** The shortest time between two changes of one progress card. */
const progressSpacing = 2000;
/** How long to wait after trouble of our own. */
const troubleWait = 5000;
/** Timers of many days would fire at once; looking at the rows every hour is nothing. */
const longestSleep = 60 * 60 * 1000;

/**
 * Sends what the outbox holds: one call at a time in each chat, chats side by side, so that a slow or paused chat holds
 * up no other. A row leaves the queue only by an answer of Telegram's.
 */
export function createOutboxSender(options: OutboxOptions) {
  const { rows, deliver, placeOf, events, clock, random } = options;
  const pacing = createPacing(options.limits ?? telegramLimits);
  const busy = new Set<number>();
  const pausedUntil = new Map<number, number>();
  const delays = new Map<number, { failures: number; until: number }>();
  const changedAt = new Map<CardId, number>();
  const underway = new Set<Promise<void>>();
  const unwritten: (() => void)[] = [];
  const abort = new AbortController();
  let phase: "running" | "flushing" | "stopped" = "running";
  let awake = false;
  let cancelTimer = (): void => {};
  let whenFlushed = (): void => {};

  /** Looks at the rows soon; not at once, because the caller's transaction may still be open. */
  function wake(): void {
    if (awake) return;
    awake = true;
    queueMicrotask(() => {
      awake = false;
      pump();
    });
  }

  function pump(): void {
    if (phase === "stopped") return;
    cancelTimer();
    try {
      writeUnwritten();
      const wait = startWhatMay();
      if (wait !== undefined) cancelTimer = clock.after(Math.min(wait, longestSleep), pump);
      if (phase === "flushing" && rows.urgent(clock.now()) === 0) whenFlushed();
    } catch (error) {
      events.trouble(error);
      cancelTimer = clock.after(troubleWait, pump);
    }
  }

  /** Starts every call that may be made now; returns how long it is until the next one may. */
  function startWhatMay(): number | undefined {
    const now = clock.now();
    let shortest = (rows.nextDue(now) ?? Number.POSITIVE_INFINITY) - now;
    for (const candidate of rows.candidates(now)) {
      if (phase === "flushing" && candidate.lane === "progress") continue;
      const place = placeOf(candidate.threadId);
      if (place === undefined) {
        rows.failed(candidate.id, "the thread is gone", now);
        wake();
      } else if (!busy.has(place.chatId)) {
        const wait = freeAt(candidate, place.chatId) - clock.ticks();
        if (wait > 0) shortest = Math.min(shortest, wait);
        else start(candidate, place);
      }
    }
    return Number.isFinite(shortest) ? shortest : undefined;
  }

  /** When this row may go out, in ticks. */
  function freeAt({ id, cardId, lane }: Candidate, chatId: number): number {
    const changed = lane === "progress" && cardId !== null ? changedAt.get(cardId) : undefined;
    return Math.max(
      pausedUntil.get(chatId) ?? 0,
      delays.get(id)?.until ?? 0,
      changed === undefined ? 0 : changed + progressSpacing,
      pacing.freeAt(chatId, lane),
    );
  }

  function start(candidate: Candidate, place: Destination): void {
    const row = rows.claim(candidate.id, clock.now());
    if (row === undefined) {
      delays.delete(candidate.id);
      wake();
      return;
    }
    pacing.took(place.chatId, row.lane, clock.ticks());
    noteChange(row.cardId, clock.ticks());
    busy.add(place.chatId);
    const work = carry(row, place).finally(() => {
      busy.delete(place.chatId);
      underway.delete(work);
      wake();
    });
    underway.add(work);
  }

  async function carry(row: ClaimedRow, place: Destination): Promise<void> {
    const parcel = readParcel(row.op, row.payload);
    if (parcel === undefined) return reject(row, "the payload cannot be read");
    try {
      conclude(row, place, await deliver(parcel, { ...place, messageId: row.messageId }, abort.signal));
    } catch (error) {
      // Neither Telegram nor the network: a fault of ours in making the call. It must not hold up those behind it.
      events.trouble(error);
      tryAgain(row, "trouble of our own", "server");
    }
  }

  function conclude(row: ClaimedRow, place: Destination, result: CallResult<Delivered>): void {
    switch (result.kind) {
      case "ok":
        return finish(row, (now) => rows.sent(row.id, now, result.value.messageId));
      case "not_modified":
        return finish(row, (now) => rows.sent(row.id, now));
      case "message_gone":
        if (row.op === "send" || row.op === "document") return reject(row, result.why);
        return finish(row, (now) => rows.dropped(row.id, result.why, now));
      case "refused_formatting":
        return reject(row, result.description);
      case "rejected":
        return reject(row, `${result.code}: ${result.description}`);
      case "gone":
        finish(row, (now) => rows.failed(row.id, result.why, now));
        return tell(() => events.gone(row.threadId, result.why));
      case "migrated":
        tell(() => events.migrated(row.threadId, result.toChatId));
        return tryAgain(row, "the group became a supergroup");
      case "retry_after": {
        const wait = Math.max(1, result.seconds) * 1000;
        pausedUntil.set(place.chatId, clock.ticks() + wait);
        write((now) => rows.retry(row.id, now));
        return tellDelay(row, "Telegram asks for patience", wait);
      }
      case "conflict":
      case "unauthorized":
        return tryAgain(row, result.description);
      case "transient":
        return tryAgain(row, result.message, result.from);
    }
  }

  function finish(row: ClaimedRow, record: (now: number) => void): void {
    delays.delete(row.id);
    write(record);
  }

  function reject(row: ClaimedRow, description: string): void {
    finish(row, (now) => rows.failed(row.id, description, now));
    const { id, threadId, lane, op } = row;
    tell(() => events.rejected({ id, threadId, lane, op }, description));
  }

  function tryAgain(row: ClaimedRow, why: string, blame?: "server" | "network"): void {
    const failures = (delays.get(row.id)?.failures ?? 0) + 1;
    const wait = backoff(failures, random);
    delays.set(row.id, { failures, until: clock.ticks() + wait });
    // Only what Telegram itself fails on counts against a row; the network treats all rows alike.
    write((now) => rows.retry(row.id, now, blame === "server" ? blame : undefined));
    tellDelay(row, why, wait);
  }

  function tellDelay({ id, threadId }: ClaimedRow, why: string, wait: number): void {
    tell(() => events.delayed({ id, threadId }, why, wait));
  }

  /** A listener that throws must not change what becomes of the row. */
  function tell(report: () => void): void {
    try {
      report();
    } catch (error) {
      events.trouble(error);
    }
  }

  /** Records an outcome; if the disk will not have it, it is kept and written later, because the call was made. */
  function write(record: (now: number) => void): void {
    unwritten.push(() => record(clock.now()));
    try {
      writeUnwritten();
    } catch (error) {
      events.trouble(error);
    }
  }

  function writeUnwritten(): void {
    for (let record = unwritten[0]; record !== undefined; record = unwritten[0]) {
      record();
      unwritten.shift();
    }
  }

  function noteChange(cardId: CardId | null, ticks: number): void {
    for (const [id, at] of changedAt) if (at + progressSpacing <= ticks) changedAt.delete(id);
    if (cardId !== null) changedAt.set(cardId, ticks);
  }

  return {
    wake,

    /** Before a shutdown: tries to get requests and answers out within the time given; tells whether all went. */
    async flush(milliseconds: number): Promise<"all sent" | "some left"> {
      if (phase === "stopped") return "some left";
      phase = "flushing";
      delays.clear();
      return new Promise((resolve) => {
        const cancel = clock.after(milliseconds, () => resolve("some left"));
        whenFlushed = () => {
          cancel();
          resolve("all sent");
        };
        wake();
      });
    },

    /** Starts no more calls and lets those underway end; what does not end in time is cut off and goes out again at the next start. */
    async stop(grace = 2000): Promise<void> {
      phase = "stopped";
      cancelTimer();
      const cancel = clock.after(grace, () => abort.abort());
      await Promise.all(underway);
      cancel();
    },
  };
}
