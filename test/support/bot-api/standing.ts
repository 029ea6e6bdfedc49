import type { ChatMember, User } from "grammy/types";
import { type ChatState, type Standing, shownChat } from "./chat-state.ts";
import { botAsUser, seconds, type World } from "./world.ts";

/** Tells the bot that its place in a chat changed, as far as Telegram tells. */
export function announceStanding(world: World, chat: ChatState, before: Standing): void {
  const bot = botAsUser(world);
  const old_chat_member = asMember(bot, before);
  const new_chat_member = asMember(bot, chat.standing);
  if (old_chat_member === undefined || new_chat_member === undefined || before === chat.standing) return;
  const from = chat.person ?? [...chat.members.values()][0]?.user;
  if (from === undefined) return;
  const date = seconds(world);
  world.updates.add({
    my_chat_member: { chat: shownChat(chat), from, date, old_chat_member, new_chat_member },
  });
}

function asMember(user: User, standing: Standing): Pick<ChatMember, "status" | "user"> | undefined {
  switch (standing) {
    case "member":
    case "administrator":
    case "left":
      return { status: standing, user };
    case "kicked":
    case "blocked":
      return { status: "kicked", user };
    case "not_started":
    case "deactivated":
    case "deleted":
      // Nobody is left to cause an update.
      return undefined;
  }
}
