import { performance } from "node:perf_hooks";
import type { User, UserFromGetMe } from "grammy/types";
import { type Chat, createChat } from "./chat-control.ts";
import type { ChatState } from "./chat-state.ts";
import { type Desk, dispatch, type LoggedCall } from "./dispatch.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createFileStore } from "./files.ts";
import { createFlood, type Flood } from "./flood.ts";
import { createLongPoll } from "./long-poll.ts";
import { createPerson, type Person } from "./person.ts";
import { tooManyRequests } from "./refusal.ts";
import { describeMessage } from "./seen-message.ts";
import { startServer } from "./server.ts";
import { createUpdateQueue } from "./update-queue.ts";
import { createWaiting, type Until } from "./waiting.ts";
import { post, type World } from "./world.ts";

/** How the simulated bot is set up. */
export type SimulatorOptions = {
  token?: string;
  botUsername?: string;
  /** Milliseconds since the epoch; dates, retention, expiry and flood control go by it. */
  now?: () => number;
  /** False, as at Telegram: the bot sees in groups only what is meant for it. */
  readsAllGroupMessages?: boolean;
  /** True gives the bot topics in private chats. */
  privateTopics?: boolean;
  /** How long `until` waits. */
  patienceMs?: number;
};

/** A group to make; `bot` is the bot's place in it. */
type GroupOptions = {
  id: number;
  title?: string;
  kind?: "group" | "supergroup";
  forum?: boolean;
  members?: Person[];
  bot?: "member" | "administrator";
};

/** Telegram in the hands of a test. */
export type Simulator = {
  /** What goes into `api_root`. */
  root: string;
  token: string;
  bot: UserFromGetMe;
  user(user: Omit<User, "is_bot"> & { is_bot?: boolean }): Person;
  /** The person's chat with the bot; `started: false` if they never wrote to it. */
  privateChat(person: Person, options?: { started?: boolean }): Chat;
  group(options: GroupOptions): Chat;
  /** Turns a group into a supergroup with a new id, with a service message on both sides. */
  migrate(group: Chat, newId: number): Chat;
  /** Waits for a value that is neither undefined nor false; checked again on every call and change. */
  until: Until;
  calls(method?: string): LoggedCall[];
  faults: Faults;
  flood: Flood;
  network: { down(): Promise<void>; up(): Promise<void> };
  /** The next updates come a second time, with the same id, after they were confirmed. */
  deliverTwice(count?: number): void;
  /** How long after a tap it can be answered. */
  callbackExpiry(ms: number): void;
  pendingUpdates(): number;
  /** True while the bot waits in getUpdates. */
  isPolling(): boolean;
  close(): Promise<void>;
};

/** Starts a simulated Bot API on a free loopback port. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const token = options.token ?? "123456789:simulated-token-of-no-value";
  const log: LoggedCall[] = [];
  const chats = new Map<number, { handle: Chat; state: ChatState }>();
  const waiting = createWaiting(options.patienceMs ?? 30_000, describe);
  const world = createWorld(options, token, () => waiting.changed());
  const { faults, strike } = createFaults();
  const flood = createFlood(world.now);
  const desk: Desk = { token, world, flood, strike, log };
  const server = await startServer((request, gone) => dispatch(desk, request, gone));
  // Supergroups number their messages themselves; all other chats of an account share one count.
  const sharedIds = counter();

  /** The chats and the last calls, for the message of a wait in vain. */
  function describe(): string {
    const texts = [...chats.values()].map(({ handle }) =>
      [`Chat ${handle.id}:`, ...handle.messages().map(describeMessage)].join("\n"),
    );
    const calls = log.slice(-10).map((call) => `  ${call.method} ${summary(call)}`);
    return [...texts, "Last calls:", ...calls].join("\n");
  }

  function addChat(
    given: Pick<ChatState, "id" | "kind" | "title" | "forum" | "person" | "standing" | "nextMessageId">,
  ): Chat {
    const state: ChatState = {
      ...given,
      members: new Map(),
      messages: new Map(),
      topics: new Map(),
      pinned: [],
      drafts: [],
      migratedTo: undefined,
    };
    const handle = createChat(world, state, waiting.until);
    chats.set(state.id, { handle, state });
    world.chats.set(state.id, state);
    return handle;
  }

  return {
    root: server.root,
    token,
    bot: world.bot,

    user(given) {
      const user: User = { is_bot: false, ...given };
      world.users.set(user.id, user);
      return createPerson(world, user, waiting.until);
    },

    privateChat(person, { started = true } = {}) {
      return addChat({
        id: person.id,
        kind: "private",
        title: "",
        forum: world.bot.has_topics_enabled,
        person: person.user,
        standing: started ? "member" : "not_started",
        nextMessageId: sharedIds,
      });
    },

    group({ id, title = "A group", kind = "supergroup", forum = false, members = [], bot = "member" }) {
      // Message 1 of a supergroup says that it was made.
      const nextMessageId = kind === "supergroup" ? counter(1) : sharedIds;
      const group = addChat({ id, kind, title, forum, person: undefined, standing: bot, nextMessageId });
      members.forEach(({ user }, index) => {
        group.state.members.set(user.id, { user, role: index === 0 ? "creator" : "member" });
      });
      return group;
    },

    migrate(group, newId) {
      const { state: old } = group;
      const upgraded = addChat({ ...old, id: newId, kind: "supergroup", nextMessageId: counter() });
      for (const [id, member] of old.members) upgraded.state.members.set(id, member);
      old.migratedTo = newId;
      const from = [...old.members.values()][0]?.user;
      const who = from === undefined ? {} : { from };
      const left = post(world, { chat: old, content: { ...who, migrate_to_chat_id: newId } });
      const arrived = post(world, {
        chat: upgraded.state,
        content: { ...who, migrate_from_chat_id: old.id },
      });
      world.updates.add({ message: left.shown });
      world.updates.add({ message: arrived.shown });
      return upgraded;
    },

    until: waiting.until,
    calls: (method) => (method === undefined ? [...log] : log.filter((call) => call.method === method)),
    faults,
    flood,
    network: { down: server.down, up: server.up },
    deliverTwice: (count = 1) => world.updates.repeatNext(count),
    callbackExpiry(ms) {
      world.callbackExpiryMs = ms;
    },
    pendingUpdates: () => world.updates.pending(),
    isPolling: () => world.longPoll.isWaiting(),

    async close() {
      world.longPoll.end(tooManyRequests(5));
      await server.close();
      waiting.end();
    },
  };
}

function createWorld(options: SimulatorOptions, token: string, changed: () => void): World {
  const now = options.now ?? Date.now;
  const updates = createUpdateQueue(now, () => longPoll.wake());
  // Polling rules go by real time: a test that moves its clock does not move the network's.
  const longPoll = createLongPoll(
    () => updates,
    () => performance.now(),
    changed,
  );
  return {
    bot: {
      id: Number.parseInt(token, 10),
      is_bot: true,
      first_name: "Signoff",
      username: options.botUsername ?? "signoff_bot",
      can_join_groups: true,
      can_read_all_group_messages: options.readsAllGroupMessages ?? false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: options.privateTopics ?? false,
      allows_users_to_create_topics: options.privateTopics ?? false,
      can_manage_bots: false,
      supports_join_request_queries: false,
    },
    now,
    users: new Map(),
    chats: new Map(),
    files: createFileStore(),
    updates,
    longPoll,
    callbacks: new Map(),
    callbackExpiryMs: 60_000,
    profile: {
      commands: new Map(),
      descriptions: new Map(),
      shortDescriptions: new Map(),
      menuButtons: new Map(),
    },
    webhook: { url: "", setAt: Number.NEGATIVE_INFINITY, maxConnections: 40 },
    session: { startedAt: now(), loggedOut: false, closed: false },
    changed,
  };
}

function counter(before = 0): () => number {
  let last = before;
  return () => {
    last += 1;
    return last;
  };
}

function summary({ params, answer }: LoggedCall): string {
  const said = typeof answer === "object" ? (answer.ok ? "ok" : answer.description) : (answer ?? "under way");
  return `${JSON.stringify(params).slice(0, 160)} → ${said}`;
}
