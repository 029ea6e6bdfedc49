import type {
  AcceptedGiftTypes,
  ChatFullInfo,
  ChatMember,
  ChatMemberAdministrator,
  User,
} from "grammy/types";
import { chatOf } from "../access.ts";
import { type ChatState, shownChat } from "../chat-state.ts";
import type { MethodTable } from "../method.ts";
import { badRequest } from "../refusal.ts";
import { botAsUser, quoted, type World } from "../world.ts";

/** The methods that tell who and what is there. */
export const describing: MethodTable = {
  getMe: ({ world }) => world.bot,

  getChat({ world, params }) {
    const chat = chatOf(world, params);
    const pinned = chat.messages.get(chat.pinned.at(-1) ?? 0);
    const info = {
      ...shownChat(chat),
      accent_color_id: 1,
      max_reaction_count: 11,
      accepted_gift_types: NO_GIFTS,
      ...(pinned !== undefined && { pinned_message: quoted(pinned.shown) }),
    };
    return info satisfies object &
      Pick<ChatFullInfo, "id" | "type" | "accent_color_id" | "max_reaction_count">;
  },

  getChatMember({ world, params }) {
    const chat = chatOf(world, params);
    return memberOf(world, chat, params.integer("user_id"));
  },

  getChatMemberCount: ({ world, params }) => chatOf(world, params).members.size + 1,
};

const NO_GIFTS: AcceptedGiftTypes = {
  unlimited_gifts: false,
  limited_gifts: false,
  unique_gifts: false,
  premium_subscription: false,
  gifts_from_channels: false,
};

function memberOf(world: World, chat: ChatState, id: number): ChatMember {
  if (id === world.bot.id) {
    const user = botAsUser(world);
    return chat.standing === "administrator" ? administrator(user) : { status: "member", user };
  }
  const member = chat.members.get(id);
  if (member !== undefined) {
    const { user, role } = member;
    if (role === "creator") return { status: "creator", user, is_anonymous: false };
    return role === "administrator" ? administrator(user) : { status: "member", user };
  }
  const known = world.users.get(id);
  if (known === undefined || chat.kind === "private") throw badRequest("member not found");
  return { status: "left", user: known };
}

function administrator(user: User): ChatMemberAdministrator {
  return {
    status: "administrator",
    user,
    can_be_edited: false,
    is_anonymous: false,
    can_manage_chat: true,
    can_delete_messages: true,
    can_manage_video_chats: true,
    can_restrict_members: true,
    can_promote_members: false,
    can_change_info: true,
    can_invite_users: true,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    can_pin_messages: true,
    can_manage_topics: true,
    can_send_welcome_messages: false,
  };
}
