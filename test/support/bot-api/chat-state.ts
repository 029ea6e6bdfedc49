import type { Chat, InlineKeyboardMarkup, Message, ReactionType, User } from "grammy/types";
import type { StoredFile } from "./files.ts";

/** How the bot stands with a chat; all but the first two make writing there fail. */
export type Standing =
  | "member"
  | "administrator"
  | "kicked"
  | "left"
  | "blocked"
  | "not_started"
  | "deactivated"
  | "deleted";

/** A forum topic; its id is the id of the service message that opened it. */
export type Topic = {
  id: number;
  name: string;
  iconColor: number;
  iconEmoji: string | undefined;
  closed: boolean;
};

/** A message with what Telegram knows of it beyond what it shows. */
export type StoredMessage = {
  /** As the API shows it now; edits replace fields of it. */
  shown: Message;
  ours: boolean;
  silent: boolean;
  edits: number;
  reactions: ReactionType[];
  file: StoredFile | undefined;
  /** A reply keyboard, its removal, or a forced reply: sent with the message, but not shown in it. */
  replyInterface: Record<string, unknown> | undefined;
};

/** Text that streams into a private chat before there is a message. */
type Draft = { id: number; topic: number; text: string; at: number; canStop: boolean };

/** One chat with all that is in it. */
export type ChatState = {
  id: number;
  kind: "private" | "group" | "supergroup";
  title: string;
  forum: boolean;
  /** The other side of a private chat. */
  person: User | undefined;
  standing: Standing;
  members: Map<number, { user: User; role: "creator" | "administrator" | "member" }>;
  messages: Map<number, StoredMessage>;
  topics: Map<number, Topic>;
  pinned: number[];
  drafts: Draft[];
  migratedTo: number | undefined;
  nextMessageId(): number;
};

/** The chat as messages show it. */
export function shownChat(chat: ChatState): Chat {
  switch (chat.kind) {
    case "private": {
      const { person } = chat;
      return {
        id: chat.id,
        type: "private",
        first_name: person?.first_name ?? "",
        ...(person?.last_name !== undefined && { last_name: person.last_name }),
        ...(person?.username !== undefined && { username: person.username }),
      };
    }
    case "group":
      return { id: chat.id, type: "group", title: chat.title };
    case "supergroup":
      return { id: chat.id, type: "supergroup", title: chat.title, ...(chat.forum && { is_forum: true }) };
  }
}

/** Removes or replaces a message's inline keyboard. */
export function setKeyboard(message: Message, keyboard: InlineKeyboardMarkup | undefined): void {
  if (keyboard === undefined) delete message.reply_markup;
  else message.reply_markup = keyboard;
}
