import type { ChatState, StoredMessage, Topic } from "./chat-state.ts";
import type { Params } from "./params.ts";
import { badRequest, forbidden } from "./refusal.ts";
import type { World } from "./world.ts";

/** The chat a call names, if the bot may use it at all. */
export function chatOf(world: World, params: Params): ChatState {
  if (!params.has("chat_id")) throw badRequest("chat_id is empty");
  const chat = world.chats.get(params.integer("chat_id"));
  if (chat === undefined) throw badRequest("chat not found");
  if (chat.migratedTo !== undefined) {
    const to = { migrate_to_chat_id: chat.migratedTo };
    throw badRequest("group chat was upgraded to a supergroup chat", to);
  }
  assertWelcome(chat);
  return chat;
}

/** The topic a send goes to; 0 is the chat itself. */
export function topicOf(chat: ChatState, params: Params): number {
  const id = params.integer("message_thread_id");
  if (id === 0) return 0;
  const topic = existingTopic(chat, id);
  if (topic.closed && chat.standing !== "administrator") throw badRequest("TOPIC_CLOSED");
  return topic.id;
}

/** A topic by its id; the General topic of a forum has none that may be named. */
export function existingTopic(chat: ChatState, id: number): Topic {
  const topic = chat.topics.get(id);
  if (topic === undefined) throw badRequest("message thread not found");
  return topic;
}

/** The message a call names by `message_id`; `missing` is what Telegram says when there is none. */
export function messageOf(chat: ChatState, params: Params, missing: string): StoredMessage {
  if (!params.has("message_id")) throw badRequest("message identifier is not specified");
  const message = chat.messages.get(params.integer("message_id"));
  if (message === undefined) throw badRequest(missing);
  return message;
}

function assertWelcome(chat: ChatState): void {
  const kind = chat.kind === "supergroup" ? "supergroup" : "group";
  switch (chat.standing) {
    case "member":
    case "administrator":
      return;
    case "kicked":
      throw forbidden(`bot was kicked from the ${kind} chat`);
    case "left":
      throw forbidden(`bot is not a member of the ${kind} chat`);
    case "deleted":
      throw forbidden("the group chat was deleted");
    case "blocked":
      throw forbidden("bot was blocked by the user");
    case "not_started":
      throw forbidden("bot can't initiate conversation with a user");
    case "deactivated":
      throw forbidden("user is deactivated");
  }
}
