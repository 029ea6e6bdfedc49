import type { Message } from "grammy/types";
import type { ChatState } from "./chat-state.ts";
import type { World } from "./world.ts";

/** In groups a bot with privacy mode sees only what is meant for it, unless it is an administrator. */
export function reachesBot(world: World, chat: ChatState, message: Message): boolean {
  if (chat.standing !== "member" && chat.standing !== "administrator") return false;
  if (chat.kind === "private" || world.bot.can_read_all_group_messages || chat.standing === "administrator")
    return true;
  const isService = CONTENT.every((field) => message[field] === undefined);
  if (isService || message.reply_to_message?.from?.id === world.bot.id) return true;
  const at = `@${world.bot.username}`.toLowerCase();
  const lower = (message.text ?? message.caption ?? "").toLowerCase();
  return lower.includes(at) || (lower.startsWith("/") && !/^\/\w+@/.test(lower));
}

const CONTENT = ["text", "photo", "document", "voice", "video", "sticker"] as const;
