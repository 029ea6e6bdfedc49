import type { MessageEntity } from "grammy/types";
import { canonical } from "./canonical.ts";
import { detect } from "./detect.ts";
import type { FormattedText } from "./formatted.ts";

/**
 * Keeps Telegram from making links, mentions, tags or commands of words that only look like them: `README.md`,
 * `@types/node`, `$HOME`, `/start_run` become code. Addresses written out with http or https stay clickable.
 */
export function protect(message: FormattedText): FormattedText {
  const { text, entities } = message;
  // Telegram detects nothing in these, nor in a word that one of them covers partly.
  const covers = entities
    .filter(({ type }) => type === "code" || type === "pre" || type === "text_link")
    .toSorted((a, b) => a.offset - b.offset);
  const protections: MessageEntity[] = [];
  let index = 0;
  let free = 0;
  for (const { offset, length } of detect(text)) {
    const end = offset + length;
    for (let cover = covers[index]; cover && cover.offset + cover.length <= offset; cover = covers[index]) {
      free = Math.max(free, cover.offset + cover.length);
      index += 1;
    }
    const limit = covers[index]?.offset ?? text.length;
    if (limit < end || offset < free || CLICKABLE.test(text.slice(offset, offset + 8))) continue;

    const from = wordStart(text, offset, free);
    const to = wordEnd(text, end, limit);
    protections.push({ type: "code", offset: from, length: to - from });
    free = to;
  }
  return protections.length === 0 ? message : canonical({ text, entities: [...entities, ...protections] });
}

const CLICKABLE = /^https?:\/\//i;
/** What belongs to the same path, package or variable as the detected part of it. */
const IN_WORD = /[\w./\\:@$#~+=%&?*-]/;
const NOT_LAST = /[.:?]/;

function wordStart(text: string, offset: number, least: number): number {
  let start = offset;
  while (start > least && IN_WORD.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function wordEnd(text: string, offset: number, most: number): number {
  let end = offset;
  while (end < most && IN_WORD.test(text.charAt(end))) end += 1;
  while (end > offset && NOT_LAST.test(text.charAt(end - 1))) end -= 1;
  return end;
}
