import { isDeepStrictEqual } from "node:util";
import type { InlineKeyboardMarkup, Message } from "grammy/types";
import { chatOf, messageOf } from "../access.ts";
import { type StoredMessage, setKeyboard } from "../chat-state.ts";
import { inlineMarkup } from "../keyboard.ts";
import type { Call, MethodTable } from "../method.ts";
import { badRequest } from "../refusal.ts";
import { assertText, messageText } from "../text-params.ts";
import { seconds, type World } from "../world.ts";

/** The methods that change a message of the bot in place. */
export const editing: MethodTable = {
  editMessageText(call) {
    assertText(call.params);
    const { message, keyboard } = editTarget(call);
    if (message.shown.text === undefined) throw badRequest("there is no text in the message to edit");
    const { text, entities } = messageText(call.world, call.params, "MESSAGE_TOO_LONG");
    return edit(call.world, message, { text, entities, keyboard });
  },

  editMessageReplyMarkup(call) {
    const { message, keyboard } = editTarget(call);
    const { text, entities = [] } = message.shown;
    return edit(call.world, message, { text, entities, keyboard });
  },
};

type EditTarget = { message: StoredMessage; keyboard: InlineKeyboardMarkup | undefined };

function editTarget({ world, params }: Call): EditTarget {
  const chat = chatOf(world, params);
  const message = messageOf(chat, params, "message to edit not found");
  const editable =
    message.ours && message.replyInterface === undefined && message.shown.forward_origin === undefined;
  if (!editable) throw badRequest("message can't be edited");
  return { message, keyboard: inlineMarkup(params, chat) };
}

type Edited = {
  text: string | undefined;
  entities: NonNullable<Message["entities"]>;
  keyboard: InlineKeyboardMarkup | undefined;
};

/** Replaces text, entities and keyboard as one: an edit that names no keyboard takes it away. */
function edit(world: World, message: StoredMessage, edited: Edited): Message {
  const before: Edited = {
    text: message.shown.text,
    entities: message.shown.entities ?? [],
    keyboard: message.shown.reply_markup,
  };
  if (isDeepStrictEqual(before, edited)) throw badRequest(NOT_MODIFIED);

  const shown: Message = { ...message.shown };
  if (edited.text !== undefined) {
    shown.text = edited.text;
    if (edited.entities.length > 0) shown.entities = edited.entities;
    else delete shown.entities;
    shown.edit_date = seconds(world);
  }
  setKeyboard(shown, edited.keyboard);
  message.shown = shown;
  message.edits += 1;
  world.changed();
  return shown;
}

const NOT_MODIFIED =
  "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";
