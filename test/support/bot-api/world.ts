import type { BotCommand, MenuButton, Message, User, UserFromGetMe } from "grammy/types";
import type { ChatState, StoredMessage } from "./chat-state.ts";
import { shownChat } from "./chat-state.ts";
import type { FileStore, StoredFile } from "./files.ts";
import type { LongPoll } from "./long-poll.ts";
import type { UpdateQueue } from "./update-queue.ts";

/** What a person sees after the bot answered a tap. */
export type Toast = { text: string; show_alert: boolean; url: string };

/** A tap that waits for its answer. */
export type CallbackState = { id: string; at: number; answer: Toast | undefined };

/** All that Telegram knows of one bot. */
export type World = {
  bot: UserFromGetMe;
  now: () => number;
  users: Map<number, User>;
  chats: Map<number, ChatState>;
  files: FileStore;
  updates: UpdateQueue;
  longPoll: LongPoll;
  callbacks: Map<string, CallbackState>;
  callbackExpiryMs: number;
  profile: Profile;
  webhook: { url: string; setAt: number; maxConnections: number };
  session: { startedAt: number; loggedOut: boolean; closed: boolean };
  /** Wakes everyone who waits for something to be so. */
  changed: () => void;
};

/** What the bot says of itself, by scope and language. */
type Profile = {
  commands: Map<string, BotCommand[]>;
  descriptions: Map<string, string>;
  shortDescriptions: Map<string, string>;
  menuButtons: Map<number, MenuButton>;
};

/** A message to come, before it has an id. */
export type NewMessage = {
  chat: ChatState;
  ours?: boolean;
  silent?: boolean;
  topic?: number;
  file?: StoredFile | undefined;
  replyInterface?: Record<string, unknown> | undefined;
  content: Omit<Message, "message_id" | "date" | "chat">;
};

/** Puts a message into a chat; what streamed there as a draft gives way to it. */
export function post(world: World, message: NewMessage): StoredMessage {
  const { chat, topic = 0 } = message;
  const id = chat.nextMessageId();
  const stored: StoredMessage = {
    shown: {
      message_id: id,
      date: seconds(world),
      chat: shownChat(chat),
      ...(topic > 0 && { message_thread_id: topic, is_topic_message: true }),
      ...topicRoot(chat, topic),
      ...message.content,
    },
    ours: message.ours ?? false,
    silent: message.silent ?? false,
    edits: 0,
    reactions: [],
    file: message.file,
    replyInterface: message.replyInterface,
  };
  chat.messages.set(id, stored);
  if (stored.ours) chat.drafts = chat.drafts.filter((draft) => draft.topic !== topic);
  world.changed();
  return stored;
}

/** The bot as the messages it sent show it. */
export function botAsUser({ bot }: World): User {
  return { id: bot.id, is_bot: true, first_name: bot.first_name, username: bot.username };
}

/** The clock in Telegram's unit. */
export function seconds(world: World): number {
  return Math.floor(world.now() / 1000);
}

/** A message as another shows it inside: without its own reply, as Telegram never nests two. */
export function quoted(message: Message): QuotedMessage {
  const { reply_to_message: _, ...rest } = message;
  // The library types the absent field as undefined, which an exact optional field cannot be.
  return rest as QuotedMessage;
}

type QuotedMessage = NonNullable<Message["reply_to_message"]>;

/** In a forum every message that answers nothing shows as an answer to the topic's first, which surprises bots. */
function topicRoot(chat: ChatState, topic: number): Pick<Message, "reply_to_message"> {
  const root = chat.kind === "supergroup" ? chat.messages.get(topic) : undefined;
  return root === undefined ? {} : { reply_to_message: quoted(root.shown) };
}
