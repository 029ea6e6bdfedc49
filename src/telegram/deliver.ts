import { InputFile } from "grammy";
import type { InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import { type CallResult, call } from "./call.ts";
import { type Client, grammySignal } from "./client.ts";
import type { Outgoing, OutgoingButton, OutgoingDocument, OutgoingReaction, Parcel } from "./outgoing.ts";
import type { Place } from "./place.ts";
import { uploadName } from "./upload-name.ts";

/** Where something goes. */
export type Destination = Pick<Place, "chatId" | "topicId">;

/** A message that was made; an edit and a reaction make none. */
export type Delivered = { messageId?: number };

/** Takes one parcel to Telegram. `messageId` is the message that an edit changes. */
export type Deliver = (
  parcel: Parcel,
  to: Destination & { messageId: number | null },
  signal: AbortSignal,
) => Promise<CallResult<Delivered>>;

/** Delivers over the Bot API; what it refuses for its looks is sent again plainer, because the words matter most. */
export function createDeliver(client: Client): Deliver {
  return async (parcel, to, signal) => {
    const abort = grammySignal(signal);
    switch (parcel.op) {
      case "send":
        return sendText(parcel.content);
      case "edit":
        return editText(parcel.content, to.messageId);
      case "document":
        return sendDocument(parcel.content);
      case "react":
        return react(parcel.content);
    }

    function sendText(content: Outgoing): Promise<CallResult<Delivered>> {
      return plainerIfRefused(content, async ({ text, entities, buttons, silent, replyTo }) => {
        const other = { ...look(entities, buttons), ...manner(to, silent, replyTo) };
        return messageIdOf(await call(() => client.api.sendMessage(to.chatId, text, other, abort)));
      });
    }

    async function editText(content: Outgoing, messageId: number | null): Promise<CallResult<Delivered>> {
      if (messageId === null) return { kind: "message_gone", why: "the card has no message" };
      const result = await plainerIfRefused(content, ({ text, entities, buttons }) => {
        const other = look(entities, buttons);
        return call(async () => {
          await client.api.editMessageText(to.chatId, messageId, text, other, abort);
          return {};
        });
      });
      // Somebody must still act on a card with buttons, so one that was deleted comes back.
      const wanted = content.buttons !== undefined && content.buttons.length > 0;
      return result.kind === "message_gone" && wanted ? sendText(content) : result;
    }

    function sendDocument(document: OutgoingDocument): Promise<CallResult<Delivered>> {
      const caption = document.caption ?? { text: "", entities: [] };
      return plainerIfRefused(caption, async ({ text, entities }) => {
        const file = new InputFile(new TextEncoder().encode(document.content), uploadName(document.name));
        const other = {
          ...(text === "" ? {} : { caption: text, caption_entities: entities }),
          ...manner(to, document.silent, document.replyTo),
        };
        return messageIdOf(await call(() => client.uploads.sendDocument(to.chatId, file, other, abort)));
      });
    }

    function react({ messageId, emoji }: OutgoingReaction): Promise<CallResult<Delivered>> {
      const reactions = emoji === null ? [] : [{ type: "emoji" as const, emoji }];
      return call(async () => {
        await client.api.setMessageReaction(to.chatId, messageId, reactions, {}, abort);
        return {};
      });
    }
  };
}

type Styled = { text: string; entities: MessageEntity[]; buttons?: OutgoingButton[][] };

async function plainerIfRefused<Content extends Styled>(
  content: Content,
  attempt: (content: Content) => Promise<CallResult<Delivered>>,
): Promise<CallResult<Delivered>> {
  const result = await attempt(content);
  if (result.kind !== "refused_formatting") return result;
  const plainer = withoutPart(content, result.part);
  return plainer === undefined ? result : plainerIfRefused(plainer, attempt);
}

/** The content without what was refused; undefined if it had none of it. */
function withoutPart<Content extends Styled>(
  content: Content,
  part: "text" | "buttons",
): Content | undefined {
  if (part === "text") return content.entities.length === 0 ? undefined : { ...content, entities: [] };
  return content.buttons === undefined || content.buttons.length === 0
    ? undefined
    : { ...content, buttons: [] };
}

function look(entities: MessageEntity[], buttons: OutgoingButton[][] | undefined) {
  return {
    entities,
    link_preview_options: { is_disabled: true },
    ...(buttons === undefined || buttons.length === 0 ? {} : { reply_markup: keyboard(buttons) }),
  };
}

function manner(to: Destination, silent: boolean | undefined, replyTo: number | undefined) {
  return {
    // Telegram refuses a message that names the General topic.
    ...(to.topicId > generalTopic ? { message_thread_id: to.topicId } : {}),
    ...(silent === true ? { disable_notification: true } : {}),
    ...(replyTo === undefined
      ? {}
      : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
  };
}

const generalTopic = 1;

function keyboard(rows: OutgoingButton[][]): InlineKeyboardMarkup {
  return { inline_keyboard: rows.map((row) => row.map(toButton)) };
}

function toButton(button: OutgoingButton): InlineKeyboardButton {
  if ("url" in button) return { text: button.label, url: button.url };
  const { label, data, style } = button;
  return { text: label, callback_data: data, ...(style === undefined ? {} : { style }) };
}

function messageIdOf(result: CallResult<{ message_id: number }>): CallResult<Delivered> {
  return result.kind === "ok" ? { kind: "ok", value: { messageId: result.value.message_id } } : result;
}
