import type {
  CallbackQuery,
  ChatMember,
  ChatMemberUpdated,
  Message,
  MessageOrigin,
  Update,
  User,
} from "grammy/types";
import type { Tap } from "../core/view.ts";
import { decodeTap } from "./button-code.ts";
import { isSlashCommand, readCommand } from "./command-text.ts";
import type { CommandName } from "./commands.ts";
import { nameMedia } from "./media.ts";
import { type Place, placeIn, placeOf } from "./place.ts";

/** Who did something; `name` is for the eye only. */
export type Person = { id: number; name: string };

/** `date` is in milliseconds since the epoch; of a tap it is the card's, and 0 when Telegram no longer holds the card. */
type Origin = { place: Place; person: Person; messageId: number; date: number };

/** What an update means, before anything is looked up. */
export type Intent =
  | (Origin & {
      kind: "prompt";
      text: string;
      /** A slash command of Claude's own: it may end without a turn. */
      slash: boolean;
      replyTo?: number;
      /** So long that the client may have cut it: the next message can be its other half. */
      mayContinue: boolean;
    })
  | (Origin & { kind: "command"; name: CommandName; args: string; replyTo?: number })
  | (Origin & { kind: "tap"; tap: Tap | undefined; callbackId: string })
  | (Origin & { kind: "edited" })
  | (Origin & { kind: "migrated"; from: number; to: number })
  | (Origin & { kind: "unsupported"; what: string; caption?: string })
  | (Origin & { kind: "topic"; change: "closed" | "reopened" })
  | (Origin & { kind: "membership"; change: "added" | "removed" | "blocked" | "unblocked" })
  | { kind: "ignored"; why: string };

/** Reads an update that the guard let through; whatever is no word to us becomes `ignored` with its reason. */
export function readIntent(update: Update, bot: { botUsername: string }): Intent {
  if (update.message !== undefined) return readMessage(update.message, bot.botUsername);
  if (update.edited_message !== undefined) return withOrigin(update.edited_message, { kind: "edited" });
  if (update.callback_query !== undefined) return readTap(update.callback_query);
  if (update.my_chat_member !== undefined) return readMembership(update.my_chat_member);
  return { kind: "ignored", why: "update of another type" };
}

function readMessage(message: Message, botUsername: string): Intent {
  if (message.migrate_to_chat_id !== undefined) {
    return withOrigin(message, { kind: "migrated", from: message.chat.id, to: message.migrate_to_chat_id });
  }
  if (message.forum_topic_closed !== undefined)
    return withOrigin(message, { kind: "topic", change: "closed" });
  if (message.forum_topic_reopened !== undefined)
    return withOrigin(message, { kind: "topic", change: "reopened" });
  if (message.text !== undefined) return readText(message, message.text, botUsername);
  const what = nameMedia(message);
  if (what === undefined) return { kind: "ignored", why: "service message" };
  const caption = message.caption === undefined ? {} : { caption: message.caption };
  return withOrigin(message, { kind: "unsupported", what, ...caption });
}

function readText(message: Message, text: string, botUsername: string): Intent {
  const replyTo = replyOf(message);
  const command = readCommand(message, botUsername);
  if (command.kind === "other_bot") return { kind: "ignored", why: "command for another bot" };
  if (command.kind === "ours") {
    return withOrigin(message, { kind: "command", name: command.name, args: command.args, ...replyTo });
  }
  const mayContinue = text.length >= nearlyFull;
  if (command.kind === "claude") {
    return withOrigin(message, { kind: "prompt", text: command.text, slash: true, ...replyTo, mayContinue });
  }
  const origin = message.forward_origin;
  const prompt =
    origin === undefined ? withoutMention(message, text, botUsername) : quoteForwarded(text, origin);
  if (prompt.trim() === "") return { kind: "ignored", why: "no text" };
  return withOrigin(message, {
    kind: "prompt",
    text: prompt,
    slash: isSlashCommand(prompt),
    ...replyTo,
    mayContinue,
  });
}

/** Clients cut a paste near 4096 characters, at a word or a line when they find one. */
const nearlyFull = 3500;

/** In a topic every message "replies" to the one that opened it; that is no reply of the person's. */
function replyOf(message: Message): { replyTo?: number } {
  const replied = message.reply_to_message;
  if (replied === undefined || replied.forum_topic_created !== undefined) return {};
  if (message.is_topic_message === true && replied.message_id === message.message_thread_id) return {};
  return { replyTo: replied.message_id };
}

/** In a group people say "@bot do this"; the address is not part of what is said. */
function withoutMention(message: Message, text: string, botUsername: string): string {
  if (message.chat.type === "private") return text;
  const mention = message.entities?.find(({ type, offset }) => type === "mention" && offset === 0);
  if (mention === undefined) return text;
  if (text.slice(0, mention.length).toLowerCase() !== `@${botUsername.toLowerCase()}`) return text;
  return text.slice(mention.length).replace(/^[\s,:]+/, "");
}

/** Every line is marked, so that words of someone else can neither pose as the person's own nor start a command. */
function quoteForwarded(text: string, origin: MessageOrigin): string {
  const quoted = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join("\n");
  return `Forwarded message from ${nameOrigin(origin)}:\n${quoted}`;
}

function nameOrigin(origin: MessageOrigin): string {
  switch (origin.type) {
    case "user":
      return personOf(origin.sender_user).name;
    case "hidden_user":
      return oneLine(origin.sender_user_name);
    case "chat":
      return titleOf(origin.sender_chat);
    case "channel":
      return titleOf(origin.chat);
  }
}

function titleOf(chat: { title?: string | undefined }): string {
  return oneLine(chat.title ?? "a chat");
}

function readTap(query: CallbackQuery): Intent {
  if (query.message === undefined) return { kind: "ignored", why: "tap on an inline message" };
  const place = placeOf(query.message);
  if (place === undefined) return { kind: "ignored", why: "channel" };
  return {
    kind: "tap",
    tap: query.data === undefined ? undefined : decodeTap(query.data),
    callbackId: query.id,
    place,
    person: personOf(query.from),
    messageId: query.message.message_id,
    date: query.message.date * 1000,
  };
}

function readMembership(update: ChatMemberUpdated): Intent {
  const place = placeIn(update.chat);
  if (place === undefined) return { kind: "ignored", why: "channel" };
  const before = isIn(update.old_chat_member);
  const after = isIn(update.new_chat_member);
  if (before === after) return { kind: "ignored", why: "change of rights" };
  const words =
    place.chatKind === "private" ? (["unblocked", "blocked"] as const) : (["added", "removed"] as const);
  return {
    kind: "membership",
    change: after ? words[0] : words[1],
    place,
    person: personOf(update.from),
    messageId: 0,
    date: update.date * 1000,
  };
}

function isIn(member: ChatMember): boolean {
  if (member.status === "restricted") return member.is_member;
  return member.status !== "left" && member.status !== "kicked";
}

function withOrigin<What extends { kind: string }>(
  message: Message,
  what: What,
): (What & Origin) | { kind: "ignored"; why: string } {
  const place = placeOf(message);
  if (place === undefined) return { kind: "ignored", why: "channel" };
  // Only Telegram's own messages lack a sender; what they tell (a moved group) counts all the same.
  const person = message.from === undefined ? { id: 0, name: "Telegram" } : personOf(message.from);
  return { ...what, place, person, messageId: message.message_id, date: message.date * 1000 };
}

function personOf(user: User): Person {
  const name = oneLine([user.first_name, user.last_name ?? ""].join(" "));
  return { id: user.id, name: name === "" ? (user.username ?? String(user.id)) : name };
}

/** Names are chosen by others: they stay on one line. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, " ").trim();
}
