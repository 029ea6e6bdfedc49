import type { CallbackQuery, Chat, Message, MessageEntity, Update, User } from "grammy/types";

export const ann: User = { id: 111, is_bot: false, first_name: "Ann", last_name: "Lee" };
export const stranger: User = { id: 666, is_bot: false, first_name: "Mallory" };
export const us: User = { id: 42, is_bot: true, first_name: "Signoff", username: "signoff_bot" };

export const privateChat: Chat.PrivateChat = { id: 111, type: "private", first_name: "Ann" };
export const group: Chat.SupergroupChat = { id: -100_5, type: "supergroup", title: "Team" };
export const forum: Chat.SupergroupChat = { ...group, is_forum: true };

/** A message update; text gets the entities that Telegram itself would mark at its start. */
export function aMessage(fields: Partial<Message> = {}): Update {
  return { update_id: 1, message: aMessageBody(fields) };
}

export function anEdit(fields: Partial<Message> = {}): Update {
  return { update_id: 1, edited_message: { ...aMessageBody(fields), edit_date: 1_700_000_100 } };
}

export function aTap(data: string, fields: Partial<CallbackQuery> = {}): Update {
  const message = aMessageBody({ message_id: 9, from: us, text: "A card" });
  return {
    update_id: 1,
    callback_query: { id: "cb1", from: ann, chat_instance: "c", data, message, ...fields },
  };
}

function aMessageBody(fields: Partial<Message>) {
  const entities = fields.text === undefined ? undefined : detect(fields.text);
  return {
    message_id: 7,
    from: ann,
    date: 1_700_000_000,
    chat: privateChat,
    ...(entities === undefined ? {} : { entities }),
    ...fields,
    // The update's own types narrow the chat; every chat of these tests is one of the kinds they allow.
  } as Message & { from: User; chat: Exclude<Chat, Chat.ChannelChat> };
}

function detect(text: string): MessageEntity[] | undefined {
  const command = /^\/[A-Za-z0-9_]{1,64}(@[A-Za-z0-9_]{3,32})?(?=$|[^\w/<>])/.exec(text);
  if (command !== null) return [{ type: "bot_command", offset: 0, length: command[0].length }];
  const mention = /^@[A-Za-z0-9_]{3,32}/.exec(text);
  return mention === null ? undefined : [{ type: "mention", offset: 0, length: mention[0].length }];
}
