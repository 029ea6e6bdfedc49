import type { InlineKeyboardButton, InlineKeyboardMarkup } from "grammy/types";
import type { ChatState } from "./chat-state.ts";
import { checkLink } from "./link-rules.ts";
import { isRecord, type Params, unreadable } from "./params.ts";
import { badRequest } from "./refusal.ts";
import { codePoints } from "./text-rules.ts";

/** What `reply_markup` asked for: buttons under the message, or something about the person's keyboard. */
export type ReplyMarkup =
  | { kind: "inline"; keyboard: InlineKeyboardMarkup }
  | { kind: "interface"; markup: Record<string, unknown> };

/** Reads `reply_markup` of a send; an empty keyboard is none. */
export function replyMarkup(params: Params, chat: ChatState): ReplyMarkup | undefined {
  const given = params.json("reply_markup");
  if (given === undefined) return undefined;
  if (given === unreadable) throw badRequest("can't parse reply keyboard markup JSON object");
  if (!isRecord(given)) throw badRequest("object expected as reply markup");
  if ("inline_keyboard" in given) return inlineKeyboard(given, chat);
  const isInterface = "keyboard" in given || "remove_keyboard" in given || "force_reply" in given;
  return isInterface ? { kind: "interface", markup: given } : undefined;
}

/** Reads `reply_markup` of an edit, which takes only inline keyboards. */
export function inlineMarkup(params: Params, chat: ChatState): InlineKeyboardMarkup | undefined {
  const markup = replyMarkup(params, chat);
  if (markup?.kind === "interface") throw badRequest("inline keyboard expected");
  return markup?.keyboard;
}

const MOST_IN_A_ROW = 8;
const MOST_BUTTONS = 100;
const MOST_BYTES = 10_240;

function inlineKeyboard(given: Record<string, unknown>, chat: ChatState): ReplyMarkup | undefined {
  const rows = given["inline_keyboard"];
  if (!Array.isArray(rows)) throw badRequest(`field "inline_keyboard" must be of type Array`);
  const inline_keyboard = rows
    .map((row: unknown) => {
      if (!Array.isArray(row)) throw badRequest(`field "inline_keyboard" must be an Array of Arrays`);
      return row.flatMap((button: unknown) => readButton(button, chat) ?? []);
    })
    .filter((row) => row.length > 0);
  if (inline_keyboard.length === 0) return undefined;

  const tooWide = inline_keyboard.some((row) => row.length > MOST_IN_A_ROW);
  const tooMany = inline_keyboard.flat().length > MOST_BUTTONS;
  if (tooWide || tooMany || Buffer.byteLength(JSON.stringify(inline_keyboard)) > MOST_BYTES) {
    throw badRequest("reply markup is too long");
  }
  return {
    kind: "inline",
    keyboard: { inline_keyboard, ...(given["force_reply"] === true && { force_reply: true }) },
  };
}

type Fields = Record<string, unknown>;

/** A button without text or icon is dropped silently; everything else wrong is refused. */
function readButton(given: unknown, chat: ChatState): InlineKeyboardButton | undefined {
  if (!isRecord(given)) throw unparsable("InlineKeyboardButton must be an Object");
  const { text } = given;
  if (typeof text !== "string") throw unparsable(`Can't find field "text"`);
  const face = { text, ...readStyle(given), ...readIcon(given) };
  const button = { ...face, ...readAction(given, chat) };
  return text === "" && !("icon_custom_emoji_id" in face) ? undefined : button;
}

function readStyle({ style }: Fields): Pick<InlineKeyboardButton, "style"> {
  if (style === undefined || style === "") return {};
  if (style === "danger" || style === "success" || style === "primary") return { style };
  throw unparsable("invalid button style specified");
}

function readIcon({
  icon_custom_emoji_id: icon,
}: Fields): Pick<InlineKeyboardButton, "icon_custom_emoji_id"> {
  return typeof icon === "string" && icon !== "" ? { icon_custom_emoji_id: icon } : {};
}

type Action =
  | { callback_data: string }
  | { url: string }
  | { web_app: { url: string } }
  | { copy_text: { text: string } }
  | { disabled: Record<never, never> }
  | { switch_inline_query: string }
  | { switch_inline_query_current_chat: string };

function readAction(given: Fields, chat: ChatState): Action {
  if (typeof given["url"] === "string") return { url: buttonUrl(given["url"]) };
  const data = given["callback_data"];
  if (typeof data === "string" && data !== "") {
    if (Buffer.byteLength(data) > 64) throw badRequest("BUTTON_DATA_INVALID");
    return { callback_data: data };
  }
  if (isRecord(given["copy_text"])) return { copy_text: { text: copyText(given["copy_text"]) } };
  if (isRecord(given["disabled"])) return { disabled: {} };
  if (isRecord(given["web_app"])) return { web_app: { url: webAppUrl(given["web_app"], chat) } };
  const query = given["switch_inline_query"];
  if (typeof query === "string") return { switch_inline_query: query };
  const here = given["switch_inline_query_current_chat"];
  if (typeof here === "string") return { switch_inline_query_current_chat: here };
  throw unparsable("Text buttons are unallowed in the inline keyboard");
}

function buttonUrl(url: string): string {
  const checked = checkLink(url);
  if (!checked.ok) throw badRequest(`inline keyboard button URL '${url}' is invalid: ${checked.why}`);
  return checked.url;
}

function webAppUrl({ url }: Fields, chat: ChatState): string {
  const checked = checkLink(String(url));
  const why = checked.ok ? (checked.https ? undefined : "Only HTTPS links are allowed") : checked.why;
  if (why !== undefined)
    throw badRequest(`inline keyboard button Web App URL '${String(url)}' is invalid: ${why}`);
  if (chat.kind !== "private") throw badRequest("BUTTON_TYPE_INVALID");
  return checked.ok ? checked.url : "";
}

function copyText({ text }: Fields): string {
  if (typeof text !== "string") throw unparsable(`Can't find field "text"`);
  if (text === "" || codePoints(text) > 256) throw badRequest("BUTTON_COPY_TEXT_INVALID");
  return text;
}

function unparsable(why: string): Error {
  return badRequest(`can't parse inline keyboard button: ${why}`);
}
