import type { MessageEntity, User } from "grammy/types";
import { checkLink, mentionedUser } from "./link-rules.ts";
import { isRecord } from "./params.ts";
import { badRequest } from "./refusal.ts";

/** Finds the user a mention names; the simulator knows only the users it was told of. */
export type FindUser = (id: number) => User | undefined;

/** Reads the `entities` parameter; what Telegram detects by itself is ignored, what it does not know is refused. */
export function readEntities(given: unknown, findUser: FindUser): MessageEntity[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((entity: unknown) => (isRecord(entity) ? readEntity(entity, findUser) : []));
}

type Fields = Record<string, unknown>;

// Telegram finds these in the text itself and does not believe the bot about them.
const DETECTED: ReadonlySet<string> = new Set([
  "mention",
  "hashtag",
  "cashtag",
  "bot_command",
  "url",
  "email",
  "phone_number",
  "bank_card_number",
]);

function readEntity(entity: Fields, findUser: FindUser): MessageEntity[] {
  const offset = integerField(entity, "offset");
  const length = integerField(entity, "length");
  const { type } = entity;
  if (typeof type !== "string") throw unreadable(`Can't find field "type"`);
  if (DETECTED.has(type)) return [];
  switch (type) {
    case "bold":
    case "italic":
    case "underline":
    case "strikethrough":
    case "spoiler":
    case "blockquote":
    case "expandable_blockquote":
    case "code":
      return [{ type, offset, length }];
    case "pre": {
      const language = entity["language"];
      return [
        typeof language === "string" && language !== ""
          ? { type, offset, length, language }
          : { type, offset, length },
      ];
    }
    case "text_link":
      return readTextLink(stringField(entity, "url"), offset, length, findUser);
    case "text_mention": {
      const user = entity["user"];
      if (!isRecord(user)) throw unreadable(`Can't find field "user"`);
      return readMention(integerField(user, "id"), offset, length, findUser);
    }
    case "custom_emoji":
      return [{ type, offset, length, custom_emoji_id: stringField(entity, "custom_emoji_id") }];
    case "date_time": {
      const format = entity["date_time_format"] ?? "";
      if (!isDateTimeFormat(format)) throw unreadable("Invalid date-time format specified");
      return [
        { type, offset, length, unix_time: integerField(entity, "unix_time"), date_time_format: format },
      ];
    }
    default:
      throw unreadable("Unsupported type specified");
  }
}

function readTextLink(url: string, offset: number, length: number, findUser: FindUser): MessageEntity[] {
  const mentioned = mentionedUser(url);
  if (mentioned !== undefined) return readMention(mentioned, offset, length, findUser);
  const checked = checkLink(url);
  if (!checked.ok) throw badRequest(`entity URL '${url}' is invalid: ${checked.why}`);
  return [{ type: "text_link", offset, length, url: checked.url }];
}

/** A mention of someone the bot never met is dropped without a word. */
function readMention(id: number, offset: number, length: number, findUser: FindUser): MessageEntity[] {
  const user = findUser(id);
  return user === undefined ? [] : [{ type: "text_mention", offset, length, user }];
}

type DateTimeFormat = Extract<MessageEntity, { type: "date_time" }>["date_time_format"];

function isDateTimeFormat(format: unknown): format is DateTimeFormat {
  return typeof format === "string" && /^(?:r|w?[dD]?[tT]?)$/.test(format);
}

function integerField(fields: Fields, name: string): number {
  const value = fields[name];
  if (value === undefined) throw unreadable(`Can't find field "${name}"`);
  const number = Number(value);
  if (!Number.isInteger(number)) throw unreadable(`Field "${name}" must be a valid Number`);
  return number;
}

function stringField(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined) throw unreadable(`Can't find field "${name}"`);
  if (typeof value !== "string") throw unreadable(`Field "${name}" must be of type String`);
  return value;
}

function unreadable(why: string): Error {
  return badRequest(`can't parse MessageEntity: ${why}`);
}
