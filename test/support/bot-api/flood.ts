/** How much one chat takes: so many at once, refilled at so many a second. */
export type Bucket = { burst: number; perSecond: number };

/** Telegram publishes no exact limits, so each can be set. */
export type FloodLimits = { chat: Bucket; group: Bucket; draft: Bucket };

/** Token buckets for each chat, off until switched on. */
export type Flood = ReturnType<typeof createFlood>;

/** Makes the flood control of one bot, by the simulator's clock. */
export function createFlood(now: () => number) {
  let limits: FloodLimits | undefined;
  const levels = new Map<string, { tokens: number; at: number }>();

  /** Takes one token; else says how many seconds until there is one. */
  function take(key: string, bucket: Bucket): number | undefined {
    const level = levels.get(key) ?? { tokens: bucket.burst, at: now() };
    const refill = ((now() - level.at) / 1000) * bucket.perSecond;
    const tokens = Math.min(bucket.burst, level.tokens + refill);
    const enough = tokens >= 1;
    levels.set(key, { tokens: enough ? tokens - 1 : tokens, at: now() });
    return enough ? undefined : Math.max(1, Math.ceil((1 - tokens) / bucket.perSecond));
  }

  return {
    on(given: Partial<FloodLimits> = {}): void {
      limits = { ...PUBLISHED, ...given };
      levels.clear();
    },

    off(): void {
      limits = undefined;
    },

    /** The seconds a call has to wait, or undefined when it may pass. */
    retryAfter(method: string, chatId: number): number | undefined {
      if (limits === undefined || chatId === 0) return undefined;
      if (DRAFTS.has(method)) return take(`draft ${chatId}`, limits.draft);
      if (!COUNTED.has(method)) return undefined;
      return chatId < 0 ? take(`group ${chatId}`, limits.group) : take(`chat ${chatId}`, limits.chat);
    },
  };
}

// From the FAQ: about one message a second in a chat with short bursts, twenty a minute in a group, edits counted too.
const PUBLISHED: FloodLimits = {
  chat: { burst: 5, perSecond: 1 },
  group: { burst: 20, perSecond: 20 / 60 },
  draft: { burst: 10, perSecond: 2 },
};

const DRAFTS: ReadonlySet<string> = new Set(["sendmessagedraft"]);
const COUNTED: ReadonlySet<string> = new Set([
  "sendmessage",
  "senddocument",
  "sendphoto",
  "editmessagetext",
  "editmessagereplymarkup",
]);
