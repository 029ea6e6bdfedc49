import type { Lane } from "../core/lane.ts";

export type Limits = {
  /** A private chat or a group takes one call in `chatInterval`, and `chatBurst` at once after a pause. */
  chatInterval: number;
  chatBurst: number;
  /** In any minute of one group. */
  groupPerMinute: number;
  groupProgressPerMinute: number;
  /** In any second, over all chats. */
  totalPerSecond: number;
};

/** What Telegram's FAQ allows, and for progress in groups less: it must leave room for what matters. */
export const telegramLimits: Limits = {
  chatInterval: 1000,
  chatBurst: 3,
  groupPerMinute: 20,
  groupProgressPerMinute: 8,
  totalPerSecond: 30,
};

/** Keeps count of calls, so that Telegram never has to slow us down; all times in ticks. */
export function createPacing(limits: Limits) {
  const total = createWindow(limits.totalPerSecond, 1000);
  const chats = new Map<number, ReturnType<typeof createChat>>();

  function createChat() {
    return {
      // When the chat would be at rest if every call took one interval.
      restedAt: Number.NEGATIVE_INFINITY,
      minute: createWindow(limits.groupPerMinute, 60_000),
      progress: createWindow(limits.groupProgressPerMinute, 60_000),
    };
  }

  function chat(chatId: number) {
    const known = chats.get(chatId);
    if (known !== undefined) return known;
    const fresh = createChat();
    chats.set(chatId, fresh);
    return fresh;
  }

  return {
    /** The earliest time at which this call may be made. */
    freeAt(chatId: number, lane: Lane): number {
      const { restedAt, minute, progress } = chat(chatId);
      const burst = restedAt - (limits.chatBurst - 1) * limits.chatInterval;
      const times = [total.freeAt(), burst];
      if (isGroup(chatId)) times.push(minute.freeAt());
      if (isGroup(chatId) && lane === "progress") times.push(progress.freeAt());
      return Math.max(...times);
    },
    /** Counts a call that is being made. */
    took(chatId: number, lane: Lane, ticks: number): void {
      const counted = chat(chatId);
      counted.restedAt = Math.max(counted.restedAt, ticks) + limits.chatInterval;
      total.took(ticks);
      counted.minute.took(ticks);
      if (lane === "progress") counted.progress.took(ticks);
    },
  };
}

/** Telegram gives groups negative ids. */
function isGroup(chatId: number): boolean {
  return chatId < 0;
}

/** At most `count` in any `span`: free again when the oldest of the last `count` has left the span. */
function createWindow(count: number, span: number) {
  const times: number[] = [];
  return {
    freeAt: (): number => (times.length < count ? Number.NEGATIVE_INFINITY : (times[0] ?? 0) + span),
    took(ticks: number): void {
      times.push(ticks);
      if (times.length > count) times.shift();
    },
  };
}
