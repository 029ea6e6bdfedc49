import type { ForumTopic, Message } from "grammy/types";
import { chatOf, existingTopic } from "../access.ts";
import type { ChatState } from "../chat-state.ts";
import type { Call, MethodTable } from "../method.ts";
import { badRequest } from "../refusal.ts";
import { codePoints } from "../text-rules.ts";
import { DEFAULT_TOPIC_COLOR, dropTopic, openTopic } from "../topic-state.ts";
import { botAsUser, post } from "../world.ts";

/** Topics of a forum, and of a private chat when the bot has them on there. */
export const topics: MethodTable = {
  createForumTopic(call) {
    const chat = forumOf(call);
    const name = nameOf(call, "required");
    const iconColor = call.params.integer("icon_color") || DEFAULT_TOPIC_COLOR;
    if (!COLORS.has(iconColor)) throw badRequest("invalid forum topic icon color specified");
    const iconEmoji = call.params.text("icon_custom_emoji_id") || undefined;
    const from = botAsUser(call.world);
    const { topic } = openTopic(call.world, chat, { from, ours: true, name, iconColor, iconEmoji });
    return {
      message_thread_id: topic.id,
      name,
      icon_color: iconColor,
      ...(iconEmoji !== undefined && { icon_custom_emoji_id: iconEmoji }),
    } satisfies ForumTopic;
  },

  editForumTopic(call) {
    const chat = forumOf(call);
    const topic = topicIn(call, chat);
    const name = nameOf(call, "optional") || topic.name;
    const emoji = call.params.text("icon_custom_emoji_id") || topic.iconEmoji;
    if (name === topic.name && emoji === topic.iconEmoji) throw badRequest("TOPIC_NOT_MODIFIED");
    Object.assign(topic, { name, iconEmoji: emoji });
    say(call, chat, topic.id, { forum_topic_edited: { name } });
    return true;
  },

  closeForumTopic(call) {
    const chat = supergroupOf(call);
    const topic = topicIn(call, chat);
    if (topic.closed) throw badRequest("TOPIC_NOT_MODIFIED");
    topic.closed = true;
    say(call, chat, topic.id, { forum_topic_closed: {} });
    return true;
  },

  reopenForumTopic(call) {
    const chat = supergroupOf(call);
    const topic = topicIn(call, chat);
    if (!topic.closed) throw badRequest("TOPIC_NOT_MODIFIED");
    topic.closed = false;
    say(call, chat, topic.id, { forum_topic_reopened: {} });
    return true;
  },

  deleteForumTopic(call) {
    const chat = forumOf(call);
    dropTopic(chat, topicIn(call, chat).id);
    call.world.changed();
    return true;
  },
};

const COLORS: ReadonlySet<number> = new Set([
  DEFAULT_TOPIC_COLOR,
  16_766_590,
  13_338_331,
  9_367_192,
  16_749_490,
  16_478_047,
]);

function forumOf({ world, params }: Call): ChatState {
  const chat = chatOf(world, params);
  if (!chat.forum) throw badRequest("the chat is not a forum");
  if (chat.kind === "supergroup" && chat.standing !== "administrator") {
    throw badRequest("not enough rights to create a topic");
  }
  return chat;
}

function supergroupOf(call: Call): ChatState {
  const chat = forumOf(call);
  if (chat.kind !== "supergroup") throw badRequest("the chat is not a supergroup forum");
  return chat;
}

function topicIn({ params }: Call, chat: ChatState) {
  return existingTopic(chat, params.integer("message_thread_id"));
}

function nameOf({ params }: Call, need: "required" | "optional"): string {
  const name = params.text("name").trim();
  if (need === "required" && name === "") throw badRequest("topic name must be non-empty");
  if (codePoints(name) > 128) throw badRequest("TOPIC_TITLE_INVALID");
  return name;
}

type Service = Pick<Message, "forum_topic_edited" | "forum_topic_closed" | "forum_topic_reopened">;

function say({ world }: Call, chat: ChatState, topic: number, content: Service) {
  return post(world, { chat, topic, ours: true, content: { from: botAsUser(world), ...content } });
}
