import type { Message, User } from "grammy/types";
import type { ChatState, Topic } from "./chat-state.ts";
import { post, type World } from "./world.ts";

/** Who opens a topic, and what it looks like. */
export type NewTopic = {
  from: User;
  ours: boolean;
  name: string;
  iconColor?: number;
  iconEmoji?: string | undefined;
};

/** The colour Telegram takes when none is asked for. */
export const DEFAULT_TOPIC_COLOR = 7_322_096;

/** Opens a topic: its id is the id of the service message that says so. */
export function openTopic(world: World, chat: ChatState, topic: NewTopic): { topic: Topic; shown: Message } {
  const { from, ours, name, iconColor = DEFAULT_TOPIC_COLOR, iconEmoji } = topic;
  const forum_topic_created = {
    name,
    icon_color: iconColor,
    ...(iconEmoji !== undefined && { icon_custom_emoji_id: iconEmoji }),
  };
  const { shown } = post(world, { chat, ours, content: { from, forum_topic_created } });
  const id = shown.message_id;
  shown.message_thread_id = id;
  shown.is_topic_message = true;
  const opened: Topic = { id, name, iconColor, iconEmoji, closed: false };
  chat.topics.set(id, opened);
  return { topic: opened, shown };
}

/** Takes a topic away with everything in it. */
export function dropTopic(chat: ChatState, id: number): void {
  chat.topics.delete(id);
  for (const [messageId, { shown }] of chat.messages) {
    if (shown.message_thread_id === id) chat.messages.delete(messageId);
  }
}
