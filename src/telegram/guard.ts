import type { CallbackQuery, ChatMemberUpdated, Message, Update, User } from "grammy/types";
import { decodeTap } from "./button-code.ts";
import { readCommand } from "./command-text.ts";
import { type Place, placeIn, placeOf } from "./place.ts";

/** Whether an update is served; a tap that is not still gets a word, because its button waits for one. */
export type Verdict = "serve" | { ignore: string } | { refuse_tap: string };

/** Who is served, and where. */
export type GuardRules = {
  allowedUsers: readonly number[];
  botId: number;
  botUsername: string;
  isEnabled(chatId: number, topicId: number): boolean;
};

/** Decides, before anything else looks at an update, whether its sender and its place are served. */
export function guard(update: Update, rules: GuardRules): Verdict {
  if (update.callback_query !== undefined) return guardTap(update.callback_query, rules);
  if (update.my_chat_member !== undefined) return guardMembership(update.my_chat_member, rules);
  const message = update.message ?? update.edited_message;
  if (message === undefined) return { ignore: "update of another type" };
  return guardMessage(message, rules);
}

/** Telegram's own accounts, that speak for a channel, for an anonymous admin, or for a channel's posts in a group. */
const serviceIds: readonly number[] = [777_000, 1_087_968_824, 136_817_688];

function guardMessage(message: Message, rules: GuardRules): Verdict {
  const place = placeOf(message);
  if (place === undefined) return { ignore: "channel" };
  if (message.business_connection_id !== undefined || message.guest_query_id !== undefined) {
    return { ignore: "not written to this bot" };
  }
  // Telegram itself states that a group has moved, whoever moved it; we would lose the group otherwise.
  if (message.migrate_to_chat_id !== undefined) return "serve";
  const stranger = whyStranger(message.from, rules);
  if (stranger !== undefined) return { ignore: stranger };
  if (message.sender_chat !== undefined) return { ignore: "sent on behalf of a chat" };
  if (message.via_bot !== undefined) return { ignore: "sent via a bot" };
  if (isOpen(place, rules) || opensGroup(message, rules)) return "serve";
  return { ignore: "group is not enabled" };
}

function guardTap(query: CallbackQuery, rules: GuardRules): Verdict {
  if (whyStranger(query.from, rules) !== undefined) return { refuse_tap: "This is not yours to answer." };
  if (query.message === undefined) return { ignore: "tap on an inline message" };
  const place = placeOf(query.message);
  if (place === undefined) return { ignore: "channel" };
  const isEnable = query.data !== undefined && decodeTap(query.data)?.verb === "enable";
  // Telegram no longer names the topic of a message it has dropped; the card that is looked up next knows it.
  const placeIsKnown = query.message.date !== 0;
  if (isEnable || !placeIsKnown || isOpen(place, rules)) return "serve";
  return { refuse_tap: "This group is not enabled. Send /enable first." };
}

/** Being removed from a group is a fact whoever did it; all else about our membership counts from allowed users only. */
function guardMembership(update: ChatMemberUpdated, rules: GuardRules): Verdict {
  const place = placeIn(update.chat);
  if (place === undefined) return { ignore: "channel" };
  if (update.new_chat_member.user.id !== rules.botId) return { ignore: "membership of someone else" };
  const status = update.new_chat_member.status;
  if (place.chatKind === "group" && (status === "left" || status === "kicked")) return "serve";
  const stranger = whyStranger(update.from, rules);
  return stranger === undefined ? "serve" : { ignore: stranger };
}

function whyStranger(user: User | undefined, rules: GuardRules): string | undefined {
  if (user === undefined) return "no sender";
  if (user.is_bot || serviceIds.includes(user.id) || user.id === rules.botId) return "sent by a bot";
  return rules.allowedUsers.includes(user.id) ? undefined : "stranger";
}

function isOpen(place: Place, rules: GuardRules): boolean {
  return place.chatKind === "private" || rules.isEnabled(place.chatId, place.topicId);
}

/** What an allowed user may say in a group that is not enabled yet. */
function opensGroup(message: Message, rules: GuardRules): boolean {
  const command = readCommand(message, rules.botUsername);
  return (
    command.kind === "ours" &&
    ["enable", "start", "help"].includes(command.name) &&
    message.edit_date === undefined
  );
}
