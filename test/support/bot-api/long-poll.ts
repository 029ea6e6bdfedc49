import { conflict, type Refusal } from "./refusal.ts";
import type { QueuedUpdate, UpdateQueue } from "./update-queue.ts";

/** What one getUpdates call asks for, already within Telegram's limits. */
export type Poll = { offset: number; limit: number; timeoutMs: number };

/** The one place at a bot's queue where a poller may wait. */
export type LongPoll = ReturnType<typeof createLongPoll>;

/** Lets one poller at a time wait for updates; a newcomer that would wait too sends the older one away. */
export function createLongPoll(queue: () => UpdateQueue, clock: () => number, changed: () => void) {
  let waiting: Waiting | undefined;
  let last = { offset: Number.NaN, startedAt: 0, finishedAt: 0 };
  let lastConflictAt = Number.NEGATIVE_INFINITY;
  const delayed = new Set<{ timer: NodeJS.Timeout; send: () => void }>();

  function finish(target: Waiting, updates: QueuedUpdate[]): void {
    last = { ...last, finishedAt: clock() };
    target.end({ updates });
  }

  /** Two bots that fight over one token are slowed down: a second conflict within 3 s waits 3 s. */
  function sendAway(target: Waiting, refusal: Refusal): void {
    const soon = clock() - lastConflictAt < 3000;
    lastConflictAt = clock();
    waiting = undefined;
    if (!soon) {
      target.end({ refusal });
      return;
    }
    const entry = { send: () => target.end({ refusal }), timer: setTimeout(() => fire(), 3000) };
    const fire = (): void => {
      delayed.delete(entry);
      entry.send();
    };
    delayed.add(entry);
  }

  return {
    /** Answers at once when there is something, else waits for it; an empty list when the time is over. */
    async poll(asked: Poll, gone: AbortSignal): Promise<QueuedUpdate[]> {
      const poll = slowedDown(asked, last, clock());
      last = { offset: asked.offset, startedAt: clock(), finishedAt: last.finishedAt };
      const ready = queue().take(poll.offset, poll.limit);
      if (ready.length > 0 || poll.timeoutMs === 0 || gone.aborted) {
        last = { ...last, finishedAt: clock() };
        return ready;
      }
      if (waiting !== undefined) sendAway(waiting, conflict(OTHER_POLLER));
      return await new Promise<QueuedUpdate[]>((resolve, reject) => {
        const timer = setTimeout(() => finish(self, []), poll.timeoutMs);
        const self: Waiting = {
          poll,
          end(outcome) {
            clearTimeout(timer);
            if (waiting === self) waiting = undefined;
            if ("updates" in outcome) resolve(outcome.updates);
            else reject(outcome.refusal);
          },
        };
        waiting = self;
        gone.addEventListener("abort", () => self.end({ updates: [] }), { once: true });
        changed();
      });
    },

    /** Called when an update came in. */
    wake(): void {
      if (waiting === undefined) return;
      const updates = queue().take(waiting.poll.offset, waiting.poll.limit);
      if (updates.length > 0) finish(waiting, updates);
    },

    /** Ends the waiting poll with a refusal, if there is one. */
    end(refusal: Refusal): void {
      waiting?.end({ refusal });
      for (const entry of delayed) {
        clearTimeout(entry.timer);
        entry.send();
      }
      delayed.clear();
    },

    isWaiting: (): boolean => waiting !== undefined,
  };
}

const OTHER_POLLER =
  "terminated by other getUpdates request; make sure that only one bot instance is running";

type Waiting = { poll: Poll; end(outcome: { updates: QueuedUpdate[] } | { refusal: Refusal }): void };

/** Telegram slows a poller that asks the same again: crash loops see one update at a time. */
function slowedDown(
  poll: Poll,
  last: { offset: number; startedAt: number; finishedAt: number },
  at: number,
): Poll {
  if (poll.offset !== last.offset) return poll;
  return {
    offset: poll.offset,
    limit: at < last.finishedAt + 500 ? 1 : poll.limit,
    timeoutMs: at < last.startedAt + 3000 ? Math.max(poll.timeoutMs, 3000) : poll.timeoutMs,
  };
}
