import type { InlineKeyboardButton, Message, MessageEntity } from "grammy/types";
import type { ChatState, StoredMessage } from "./chat-state.ts";

/** A message as it stands in a chat now, for tests to read; a copy, so that it does not change under them. */
export type SeenMessage = {
  id: number;
  chatId: number;
  topic: number | undefined;
  /** True for what the bot sent. */
  fromBot: boolean;
  from: number | undefined;
  /** Text or caption. */
  text: string;
  entities: MessageEntity[];
  /** Rows of buttons under the message. */
  buttons: InlineKeyboardButton[][];
  /** A reply keyboard, its removal, or a forced reply. */
  replyInterface: Record<string, unknown> | undefined;
  replyTo: number | undefined;
  date: number;
  edits: number;
  silent: boolean;
  pinned: boolean;
  reactions: string[];
  file: { name: string; type: string; content: Buffer } | undefined;
  /** The message in the API's own shape. */
  raw: Message;
};

/** Takes a picture of a stored message. */
export function seen(chat: ChatState, stored: StoredMessage): SeenMessage {
  const raw = structuredClone(stored.shown);
  const { file } = stored;
  return {
    id: raw.message_id,
    chatId: chat.id,
    topic: raw.message_thread_id,
    fromBot: stored.ours,
    from: raw.from?.id,
    text: raw.text ?? raw.caption ?? "",
    entities: raw.entities ?? raw.caption_entities ?? [],
    buttons: raw.reply_markup?.inline_keyboard ?? [],
    replyInterface: stored.replyInterface,
    replyTo: raw.reply_to_message?.message_id,
    date: raw.date,
    edits: stored.edits,
    silent: stored.silent,
    pinned: chat.pinned.includes(raw.message_id),
    reactions: stored.reactions.map((reaction) =>
      reaction.type === "emoji" ? reaction.emoji : reaction.type,
    ),
    file: file === undefined ? undefined : { name: file.name, type: file.type, content: file.content },
    raw,
  };
}

/** One line about a message, for the dump a vain wait leaves behind. */
export function describeMessage(message: SeenMessage): string {
  const who = message.fromBot ? "bot" : String(message.from ?? "service");
  const labels = message.buttons.map((row) => row.map((button) => button.text).join(" | ")).join(" / ");
  const buttons = labels === "" ? "" : ` [${labels}]`;
  const file = message.file === undefined ? "" : ` <${message.file.name}>`;
  return `  #${message.id} ${who}: ${JSON.stringify(message.text)}${file}${buttons}`;
}
