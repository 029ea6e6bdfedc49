import { chatOf, messageOf } from "../access.ts";
import type { ChatState, StoredMessage } from "../chat-state.ts";
import type { MethodTable } from "../method.ts";
import { badRequest } from "../refusal.ts";
import { seconds, type World } from "../world.ts";

/** The methods that take messages away. */
export const deleting: MethodTable = {
  deleteMessage({ world, params }) {
    const chat = chatOf(world, params);
    const message = messageOf(chat, params, "message to delete not found");
    if (!isDeletable(world, chat, message)) throw badRequest("message can't be deleted");
    remove(world, chat, message);
    return true;
  },

  deleteMessages({ world, params }) {
    const chat = chatOf(world, params);
    const ids = params.json("message_ids");
    if (!Array.isArray(ids) || ids.length === 0) throw badRequest("message identifiers are not specified");
    if (ids.length > 100) throw badRequest("too many message identifiers specified");
    for (const id of ids) {
      const message = chat.messages.get(Number(id));
      if (message === undefined) continue;
      if (!isDeletable(world, chat, message)) throw badRequest("message can't be deleted");
      remove(world, chat, message);
    }
    return true;
  },
};

const TWO_DAYS = 2 * 86_400;

/** In groups the bot deletes others' messages only as an administrator; nowhere after two days. */
function isDeletable(world: World, chat: ChatState, message: StoredMessage): boolean {
  const founding = chat.kind === "supergroup" && message.shown.message_id === 1;
  if (founding || message.shown.forum_topic_created !== undefined) return false;
  if (seconds(world) - message.shown.date > TWO_DAYS) return false;
  return message.ours || chat.kind === "private" || chat.standing === "administrator";
}

function remove(world: World, chat: ChatState, message: StoredMessage): void {
  chat.messages.delete(message.shown.message_id);
  chat.pinned = chat.pinned.filter((id) => id !== message.shown.message_id);
  world.changed();
}
