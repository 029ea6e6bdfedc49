import type { CardId, ThreadId } from "../core/ids.ts";
import type { Lane } from "../core/lane.ts";
import type { Clock } from "./clock.ts";
import type { Deliver, Destination } from "./deliver.ts";
import type { Parcel } from "./outgoing.ts";
import type { Limits } from "./pacing.ts";

/** A row that may go out now. */
export type Candidate = { id: number; threadId: ThreadId; cardId: CardId | null; lane: Lane };
/** A row on its way to Telegram. */
export type ClaimedRow = Candidate & { op: Parcel["op"]; payload: string; messageId: number | null };

/** The rows the sender works on; what each function promises is said where the store implements it. */
export type OutboxRows = {
  candidates(now: number): Candidate[];
  nextDue(now: number): number | undefined;
  urgent(now: number): number;
  claim(id: number, now: number): ClaimedRow | undefined;
  sent(id: number, now: number, messageId?: number): void;
  retry(id: number, now: number, blame?: "server"): void;
  failed(id: number, error: string, now: number): void;
  dropped(id: number, why: string, now: number): void;
};

/** What the sender has to tell. None of it carries the text of a message. */
export type OutboxEvents = {
  /** The chat or topic of this thread takes nothing any more; comes once for every row that fails on it. */
  gone(threadId: ThreadId, why: string): void;
  /** The thread's chat has another id now; the row is tried again there. */
  migrated(threadId: ThreadId, toChatId: number): void;
  /** Telegram refused this row for good. */
  rejected(row: { id: number; threadId: ThreadId; lane: Lane; op: Parcel["op"] }, description: string): void;
  /** A call did not get through and is tried again after `wait` milliseconds. */
  delayed(row: { id: number; threadId: ThreadId }, why: string, wait: number): void;
  /** Something that should not happen, as a full disk; the sender goes on. */
  trouble(error: unknown): void;
};

/** What the sender works with. */
export type OutboxOptions = {
  rows: OutboxRows;
  deliver: Deliver;
  /** Where a thread lives at this moment; undefined if it is no more. */
  placeOf: (threadId: ThreadId) => Destination | undefined;
  events: OutboxEvents;
  clock: Clock;
  random: () => number;
  limits?: Limits;
};
