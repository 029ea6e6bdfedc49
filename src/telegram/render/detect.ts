import { detectAddresses } from "./detect-addresses.ts";

/** A stretch of plain text that Telegram would make clickable by itself. */
export type Detection = {
  kind: "url" | "email" | "mention" | "hashtag" | "cashtag" | "bot_command";
  offset: number;
  length: number;
};

/** Finds what Telegram would make clickable in a text without entities: the earliest, and of these the longest, wins. */
export function detect(text: string): Detection[] {
  const found = [
    ...matches(text, MENTION, "mention"),
    ...matches(text, BOT_COMMAND, "bot_command"),
    ...matches(text, HASHTAG, "hashtag"),
    ...matches(text, CASHTAG, "cashtag"),
    ...matches(text, APP_LINK, "url"),
    ...detectAddresses(text),
  ].toSorted((a, b) => a.offset - b.offset || b.length - a.length);
  let free = 0;
  return found.filter(({ offset, length }) => {
    if (offset < free) return false;
    free = offset + length;
    return true;
  });
}

const WORD = "\\p{L}\\p{N}_";
const TAG = "\\p{L}\\p{Nd}_\\u200C\\u00B7\\u0D80-\\u0DFF";
const NOT_IN_PATH = '\\n<>"«»\\p{Z}\\u2000-\\u200B\\u200E\\u200F\\u2016-\\u206F';
const IN_PATH = `[^${NOT_IN_PATH}]`;
const AT_END = `[^${NOT_IN_PATH}.:;,('?!\`]`;

/** `#tag@channel` is one tag. */
const CHANNEL = "@[A-Za-z0-9_]{3,32}(?![A-Za-z0-9_])";
const OF_CHANNEL = `(?:${CHANNEL}|(?!${CHANNEL}))`;
const OF_CHANNEL_CUT = `(?:${CHANNEL}|@[A-Za-z0-9_]{32}|(?!@[A-Za-z0-9_]{3}))`;

const MENTION = new RegExp(`(?<![${WORD}])@(?:gif|vid|pic|[A-Za-z0-9_]{4,32})(?![${WORD}])`, "giu");
const BOT_COMMAND = new RegExp(
  `(?<![${WORD}/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32}|(?!@))(?![${WORD}/<>])`,
  "gu",
);
const HASHTAG = new RegExp(
  `(?<![${TAG}])#(?=[\\p{Nd}_\\u200C\\u00B7]{0,255}\\p{L})[${TAG}]{1,256}(?![${TAG}])${OF_CHANNEL_CUT}(?!#)`,
  "gu",
);
const CASHTAG = new RegExp(`(?<![$${TAG}])\\$(?:1INCH|[A-Z]{1,8})${OF_CHANNEL}(?![$${TAG}])`, "gu");
const APP_LINK = new RegExp(
  `(?:tg|ton)://[a-z0-9_-]{1,253}(?:/(?:${IN_PATH}*${AT_END})?|[?#]${IN_PATH}*${AT_END})?`,
  "giu",
);

function matches(text: string, pattern: RegExp, kind: Detection["kind"]): Detection[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    kind,
    offset: match.index,
    length: match[0].length,
  }));
}
