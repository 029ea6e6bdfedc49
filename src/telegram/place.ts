import type { Chat, MaybeInaccessibleMessage } from "grammy/types";

/** Where something was written. `topicId` is 0 outside a topic and in a forum's General. */
export type Place = { chatId: number; topicId: number; chatKind: "private" | "group" };

/** The place of a message; undefined in a channel, where nobody is served. */
export function placeOf(message: MaybeInaccessibleMessage): Place | undefined {
  return placeIn(message.chat, message.date === 0 ? 0 : topicOf(message));
}

/** A chat's main place; undefined for a channel. */
export function placeIn(chat: Chat, topicId = 0): Place | undefined {
  if (chat.type === "channel") return undefined;
  return { chatId: chat.id, topicId, chatKind: chat.type === "private" ? "private" : "group" };
}

/** A thread id alone may be a mere chain of replies: only Telegram's own flag makes it a topic. */
function topicOf(message: { is_topic_message?: boolean; message_thread_id?: number }): number {
  const topicId = message.is_topic_message === true ? (message.message_thread_id ?? 0) : 0;
  return topicId === generalTopic ? 0 : topicId;
}

/** A forum's General topic; Telegram refuses messages that name it. */
const generalTopic = 1;
