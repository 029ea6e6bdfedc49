import type { Message } from "grammy/types";
import type { ChatState } from "./chat-state.ts";
import { fixFormattedText } from "./formatted-text.ts";
import { isRecord, type Params } from "./params.ts";
import { badRequest } from "./refusal.ts";
import { quoted } from "./world.ts";

/** Reads what a message answers, by `reply_parameters` or the old parameter. */
export function replyTo(chat: ChatState, params: Params): Pick<Message, "reply_to_message" | "quote"> {
  const given = params.json("reply_parameters");
  const fields = isRecord(given) ? given : {};
  const id = Number(fields["message_id"] ?? params.integer("reply_to_message_id")) || 0;
  if (id === 0) return {};

  const target = chat.messages.get(id);
  if (target === undefined) {
    const optional =
      fields["allow_sending_without_reply"] === true || params.flag("allow_sending_without_reply");
    if (optional) return {};
    throw badRequest("message to be replied not found");
  }
  return { reply_to_message: quoted(target.shown), ...readQuote(fields["quote"], target.shown) };
}

function readQuote(given: unknown, message: Message): Pick<Message, "quote"> {
  if (typeof given !== "string" || given === "") return {};
  const { text } = fixFormattedText(given, []);
  const position = (message.text ?? message.caption ?? "").indexOf(text);
  if (position < 0) throw badRequest("QUOTE_TEXT_INVALID");
  return { quote: { text, position, is_manual: true } };
}
