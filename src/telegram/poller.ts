import type { Api } from "grammy";
import type { Update } from "grammy/types";
import { backoff } from "./backoff.ts";
import { call } from "./call.ts";
import { grammySignal } from "./client.ts";
import type { Clock } from "./clock.ts";

/** Where updates are written before they are confirmed; returns how many were new. */
export type InboxRows = {
  record(updates: readonly { updateId: number; body: string }[], now: number): number;
};

export type PollerEvents = {
  /** There are new updates in the inbox. */
  arrived(): void;
  /** Somebody else polls with our token, or a webhook is set; told at most once a minute, and we go on trying. */
  conflict(description: string): void;
  /** The token is not valid: polling has ended for good. */
  refused(description: string): void;
  /** A poll failed and is tried again. */
  trouble(error: unknown): void;
};

export type PollerOptions = {
  api: Pick<Api, "getUpdates">;
  inbox: InboxRows;
  events: PollerEvents;
  clock: Clock;
  random: () => number;
  /** How long Telegram may keep a poll open, in seconds. */
  timeout?: number;
};

export type Poller = ReturnType<typeof createPoller>;

/** The kinds of updates we read; without the list Telegram would go on with whatever was asked for last. */
const allowedUpdates = [
  "message",
  "edited_message",
  "callback_query",
  "my_chat_member",
] as const satisfies readonly Exclude<keyof Update, "update_id">[];

/** A poll that takes so much longer than agreed is dead. */
const overtime = 15_000;
const conflictEvery = 60_000;

/**
 * Asks Telegram for updates for as long as it runs. A poll confirms what the poll before it brought, so an update is
 * confirmed only when it is a row. The offset lives in memory: the first poll has none and brings all that was never
 * confirmed, which the inbox knows already or needs.
 */
export function createPoller(options: PollerOptions) {
  const { api, inbox, events, clock, random } = options;
  const timeout = options.timeout ?? 30;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let offset: number | undefined;
  let failures = 0;
  let conflictToldAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const wait = await pollSafely();
      if (wait === "ended") return;
      if (wait > 0) await sleep(wait);
    }
  }

  /** One poll; returns how long to wait before the next one. Nothing may end the loop by being thrown. */
  async function pollSafely(): Promise<number | "ended"> {
    try {
      return await poll();
    } catch (error) {
      // As when the disk is full: nothing was confirmed, so the same updates come again.
      events.trouble(error);
      return afterFailure();
    }
  }

  async function poll(): Promise<number | "ended"> {
    const result = await call(getUpdates);
    if (stopping.signal.aborted && result.kind !== "ok") return "ended";
    switch (result.kind) {
      case "ok":
        take(result.value);
        return 0;
      case "retry_after":
        return Math.max(1, result.seconds) * 1000;
      case "conflict":
        tellConflict(result.description);
        return afterFailure();
      case "unauthorized":
        events.refused(result.description);
        return "ended";
      case "transient":
        events.trouble(new Error(result.message));
        return afterFailure();
      case "not_modified":
      case "migrated":
      case "refused_formatting":
      case "gone":
      case "message_gone":
      case "rejected":
        events.trouble(new Error(`getUpdates was answered with ${JSON.stringify(result)}`));
        return afterFailure();
    }
  }

  /** Makes the call, and cuts it off when it is overdue: a connection can die without a word. */
  async function getUpdates(): Promise<Update[]> {
    const watchdog = new AbortController();
    const cancel = clock.after(timeout * 1000 + overtime, () => watchdog.abort());
    const signal = grammySignal(AbortSignal.any([stopping.signal, watchdog.signal]));
    const from = offset === undefined ? {} : { offset };
    try {
      return await api.getUpdates({ ...from, timeout, allowed_updates: allowedUpdates }, signal);
    } finally {
      cancel();
    }
  }

  function take(updates: Update[]): void {
    failures = 0;
    const rows = updates.map((update) => ({ updateId: update.update_id, body: JSON.stringify(update) }));
    const fresh = inbox.record(rows, clock.now());
    // The last one, not the highest: Telegram can start its numbers anew, and lower.
    const last = updates.at(-1);
    if (last !== undefined) offset = last.update_id + 1;
    if (fresh > 0) events.arrived();
  }

  function tellConflict(description: string): void {
    const ticks = clock.ticks();
    if (ticks - conflictToldAt < conflictEvery) return;
    conflictToldAt = ticks;
    events.conflict(description);
  }

  function afterFailure(): number {
    failures += 1;
    return backoff(failures, random);
  }

  async function sleep(milliseconds: number): Promise<void> {
    if (stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        stopping.signal.removeEventListener("abort", done);
        resolve();
      };
      const cancel = clock.after(milliseconds, done);
      stopping.signal.addEventListener("abort", done);
    });
  }

  return {
    start(): void {
      running ??= run();
    },
    /** Breaks off the open poll; afterwards nothing is written any more. What the poll would have brought comes again at the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
