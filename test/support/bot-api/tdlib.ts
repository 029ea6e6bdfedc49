/// <reference types="@prebuilt-tdlib/types" />
import { createRequire } from "node:module";
import type { MessageEntity } from "grammy/types";
import * as tdl from "tdl";

/** What Telegram's own library makes of a text with entities: the result in Bot API words, or its complaint. */
export type TdlibVerdict = { text: string; entities: MessageEntity[] } | { error: string };

/** Loads Telegram's own library; it needs no login and no network for what is asked here. */
export function loadTdlib(): { fix(text: string, entities: readonly MessageEntity[]): TdlibVerdict } {
  tdl.configure({ tdjson: libraryFile(), verbosityLevel: 0 });
  return {
    fix(text, entities) {
      const answer = parse(text, entities);
      if (answer?._ === "error") return { error: answer.message };
      if (answer?._ !== "formattedText") throw new Error("TDLib gave no formatted text");
      return { text: answer.text, entities: answer.entities.map(fromTdlib) };
    },
  };
}

/** Where the library is; there is one to be had for the platform that these tests run on, and said so for all others. */
function libraryFile(): string {
  try {
    return createRequire(import.meta.url).resolve("@prebuilt-tdlib/linux-x64-glibc/libtdjson.so");
  } catch (cause) {
    throw new Error("TDLib is not installed. The tests that compare with it need Linux on x64 with glibc.", {
      cause,
    });
  }
}

/** parseMarkdown runs TDLib's full check of given entities; a text without Markdown comes back otherwise unchanged. */
function parse(text: string, entities: readonly MessageEntity[]) {
  const formatted = { _: "formattedText", text, entities: entities.map(toTdlib) } as const;
  return tdl.execute({ _: "parseMarkdown", text: formatted });
}

type TdlibEntity = Extract<ReturnType<typeof parse>, { _: "formattedText" }>["entities"][number];

// The kinds that carry nothing but their place have the same shape on both sides.
const PLAIN = [
  ["bold", "textEntityTypeBold"],
  ["italic", "textEntityTypeItalic"],
  ["underline", "textEntityTypeUnderline"],
  ["strikethrough", "textEntityTypeStrikethrough"],
  ["spoiler", "textEntityTypeSpoiler"],
  ["blockquote", "textEntityTypeBlockQuote"],
  ["expandable_blockquote", "textEntityTypeExpandableBlockQuote"],
  ["code", "textEntityTypeCode"],
  ["pre", "textEntityTypePre"],
] as const;

function toTdlib(entity: MessageEntity) {
  return {
    _: "textEntity",
    offset: entity.offset,
    length: entity.length,
    type: toTdlibType(entity),
  } as const;
}

function toTdlibType(entity: MessageEntity) {
  if (entity.type === "text_link") return { _: "textEntityTypeTextUrl", url: entity.url } as const;
  if (entity.type === "date_time")
    return { _: "textEntityTypeDateTime", unix_time: entity.unix_time } as const;
  if (entity.type === "custom_emoji") {
    return { _: "textEntityTypeCustomEmoji", custom_emoji_id: entity.custom_emoji_id } as const;
  }
  if (entity.type === "pre" && entity.language !== undefined) {
    return { _: "textEntityTypePreCode", language: entity.language } as const;
  }
  const plain = PLAIN.find(([ours]) => ours === entity.type);
  if (plain === undefined) throw new Error(`No TDLib type for ${entity.type}`);
  return { _: plain[1] } as const;
}

function fromTdlib({ offset, length, type }: TdlibEntity): MessageEntity {
  if (type._ === "textEntityTypeTextUrl") return { type: "text_link", offset, length, url: type.url };
  if (type._ === "textEntityTypePreCode") return { type: "pre", offset, length, language: type.language };
  if (type._ === "textEntityTypeDateTime") {
    return { type: "date_time", offset, length, unix_time: type.unix_time, date_time_format: "" };
  }
  if (type._ === "textEntityTypeCustomEmoji") {
    return { type: "custom_emoji", offset, length, custom_emoji_id: type.custom_emoji_id };
  }
  const plain = PLAIN.find(([, theirs]) => theirs === type._);
  if (plain === undefined) throw new Error(`No Bot API type for ${type._}`);
  return { type: plain[0], offset, length };
}
