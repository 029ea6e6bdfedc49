/** An update before the queue has numbered it: plain JSON, so that odd ones can be sent too. */
export type NewUpdate = Readonly<Record<string, unknown>>;

/** An update as it goes over the wire. */
export type QueuedUpdate = NewUpdate & { update_id: number };

/** The queue of one bot: numbers updates, forgets what was confirmed or grew too old. */
export type UpdateQueue = ReturnType<typeof createUpdateQueue>;

/** Makes an empty queue; `wake` is called whenever an update comes in. */
export function createUpdateQueue(now: () => number, wake: () => void) {
  let events: Event[] = [];
  let nextId = FIRST_UPDATE_ID;
  let allowed: ReadonlySet<string> | undefined;
  let repeats = 0;

  function dropExpired(): void {
    const at = now();
    events = events.filter((event) => event.expiresAt > at);
  }

  return {
    /** Queues an update unless its kind was not asked for; returns its id if it was queued. */
    add(update: NewUpdate): number | undefined {
      const kind = Object.keys(update)[0] ?? "";
      if (allowed === undefined ? ASKED_FOR_ONLY.has(kind) : !allowed.has(kind)) return undefined;
      return this.addAnyway(update);
    },

    /** Queues an update as it is, for odd ones; a new id is taken unless it brings its own. */
    addAnyway(update: NewUpdate): number {
      const id = typeof update["update_id"] === "number" ? update["update_id"] : nextId;
      nextId = Math.max(nextId, id + 1);
      const expiresAt = now() + retention(update);
      events.push({
        id,
        update: { ...structuredClone(update), update_id: id },
        expiresAt,
        again: repeats > 0,
      });
      if (repeats > 0) repeats -= 1;
      wake();
      return id;
    },

    /** Forgets what `offset` confirms, then gives what is left, oldest first. */
    take(offset: number, limit: number): QueuedUpdate[] {
      dropExpired();
      events = remaining(events, offset);
      return events.slice(0, limit).map((event) => event.update);
    },

    /** What `allowed_updates` said; an empty or unknown list asks for the default. */
    allow(kinds: readonly string[]): void {
      const known = kinds.map((kind) => kind.toLowerCase()).filter((kind) => KINDS.has(kind));
      allowed = known.length === 0 ? undefined : new Set(known);
    },

    allowedKinds(): string[] | undefined {
      return allowed === undefined ? undefined : [...allowed];
    },

    /** The next `count` updates come a second time after they were confirmed. */
    repeatNext(count: number): void {
      repeats += count;
    },

    pending(): number {
      dropExpired();
      return events.length;
    },

    clear(): void {
      events = [];
    },
  };
}

type Event = { id: number; update: QueuedUpdate; expiresAt: number; again: boolean };

// Telegram picks a random start at or above this number; a fixed one keeps tests readable.
const FIRST_UPDATE_ID = 2_000_001;

const DAY = 86_400_000;
const RETENTION: Readonly<Record<string, number>> = {
  callback_query: 150_000,
  inline_query: 30_000,
  chosen_inline_result: 600_000,
  shipping_query: 150_000,
  pre_checkout_query: 150_000,
};

const ASKED_FOR_ONLY: ReadonlySet<string> = new Set([
  "chat_member",
  "message_reaction",
  "message_reaction_count",
]);
const KINDS: ReadonlySet<string> = new Set([
  ...ASKED_FOR_ONLY,
  ...Object.keys(RETENTION),
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "business_connection",
  "business_message",
  "edited_business_message",
  "deleted_business_messages",
  "guest_message",
  "stopped_message_generation",
  "purchased_paid_media",
  "poll",
  "poll_answer",
  "my_chat_member",
  "chat_join_request",
  "chat_boost",
  "removed_chat_boost",
  "managed_bot",
  "subscription",
]);

function retention(update: NewUpdate): number {
  const kind = Object.keys(update).find((key) => key !== "update_id") ?? "";
  return RETENTION[kind] ?? DAY;
}

/** A positive offset confirms what is before it, a negative one all but the last; a far-off one confirms nothing. */
function remaining(events: readonly Event[], offset: number): Event[] {
  const last = events.at(-1)?.id ?? 0;
  if (offset < 0) return events.slice(offset);
  if (offset === 0 || (events.length > 0 && offset > last + 10)) return [...events];
  return events.flatMap((event) => {
    if (event.id >= offset) return [event];
    return event.again ? [{ ...event, again: false }] : [];
  });
}
