import type { ReactionType, ReactionTypeEmoji } from "grammy/types";
import { chatOf, messageOf } from "../access.ts";
import type { ChatState } from "../chat-state.ts";
import type { MethodTable } from "../method.ts";
import { isRecord, type Params } from "../params.ts";
import { badRequest } from "../refusal.ts";
import { codePoints } from "../text-rules.ts";
import { botAsUser, post, quoted, type World } from "../world.ts";

/** Small answers of the bot: to taps, by reactions, by pins. */
export const reacting: MethodTable = {
  answerCallbackQuery({ world, params }) {
    const callback = world.callbacks.get(params.text("callback_query_id"));
    const late = callback !== undefined && world.now() - callback.at > world.callbackExpiryMs;
    // A second answer is refused like a late one: the person's app has stopped waiting.
    if (callback === undefined || late || callback.answer !== undefined) throw badRequest(TOO_OLD);
    const text = params.text("text");
    if (codePoints(text) > 200) throw badRequest("MESSAGE_TOO_LONG");
    callback.answer = { text, show_alert: params.flag("show_alert"), url: params.text("url") };
    world.changed();
    return true;
  },

  setMessageReaction({ world, params }) {
    const chat = chatOf(world, params);
    const message = messageOf(chat, params, "message to react not found");
    const given = params.json("reaction") ?? [];
    if (!Array.isArray(given)) throw badRequest("expected an Array of ReactionType");
    if (given.length > 1) throw badRequest("REACTIONS_TOO_MANY");
    message.reactions = given.map(readReaction);
    world.changed();
    return true;
  },

  pinChatMessage({ world, params }) {
    const chat = pinnableChat(world, params);
    const message = messageOf(chat, params, "message to pin not found");
    const id = message.shown.message_id;
    chat.pinned = [...chat.pinned.filter((other) => other !== id), id];
    const content = { from: botAsUser(world), pinned_message: quoted(message.shown) };
    post(world, { chat, ours: true, silent: params.flag("disable_notification"), content });
    return true;
  },

  unpinChatMessage({ world, params }) {
    const chat = pinnableChat(world, params);
    const id = params.has("message_id") ? params.integer("message_id") : chat.pinned.at(-1);
    if (id === undefined || !chat.pinned.includes(id)) throw badRequest("message to unpin not found");
    chat.pinned = chat.pinned.filter((other) => other !== id);
    world.changed();
    return true;
  },
};

const TOO_OLD = "query is too old and response timeout expired or query ID is invalid";

function pinnableChat(world: World, params: Params): ChatState {
  const chat = chatOf(world, params);
  if (chat.kind !== "private" && chat.standing !== "administrator") {
    throw badRequest("not enough rights to manage pinned messages in the chat");
  }
  return chat;
}

function readReaction(given: unknown): ReactionType {
  if (isRecord(given) && given["type"] === "emoji") {
    const emoji = EMOJI.find((known) => known === given["emoji"]);
    if (emoji !== undefined) return { type: "emoji", emoji };
  }
  throw badRequest("REACTION_INVALID");
}

const EMOJI: readonly ReactionTypeEmoji["emoji"][] = [
  "👍",
  "👎",
  "❤",
  "🔥",
  "🥰",
  "👏",
  "😁",
  "🤔",
  "🤯",
  "😱",
  "🤬",
  "😢",
  "🎉",
  "🤩",
  "🤮",
  "💩",
  "🙏",
  "👌",
  "🕊",
  "🤡",
  "🥱",
  "🥴",
  "😍",
  "🐳",
  "❤‍🔥",
  "🌚",
  "🌭",
  "💯",
  "🤣",
  "⚡",
  "🍌",
  "🏆",
  "💔",
  "🤨",
  "😐",
  "🍓",
  "🍾",
  "💋",
  "🖕",
  "😈",
  "😴",
  "😭",
  "🤓",
  "👻",
  "👨‍💻",
  "👀",
  "🎃",
  "🙈",
  "😇",
  "😨",
  "🤝",
  "✍",
  "🤗",
  "🫡",
  "🎅",
  "🎄",
  "☃",
  "💅",
  "🤪",
  "🗿",
  "🆒",
  "💘",
  "🙉",
  "🦄",
  "😘",
  "💊",
  "🙊",
  "😎",
  "👾",
  "🤷‍♂",
  "🤷",
  "🤷‍♀",
  "😡",
];
