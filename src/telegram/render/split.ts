import type { MessageEntity } from "grammy/types";
import { canonical } from "./canonical.ts";
import type { FormattedText } from "./formatted.ts";
import { graphemeStart } from "./grapheme.ts";

/** What one message may hold. Characters are UTF-16 units; Telegram counts code points, of which there are never more. */
export type Limits = { characters: number; entities: number; entityBytes: number };

/** Telegram's limits: it drops entities over the hundredth silently, and refuses messages whose entities weigh too much. */
export const MESSAGE_LIMITS: Limits = { characters: 4096, entities: 100, entityBytes: 9000 };

/**
 * Splits a text into messages: before a code block if that saves cutting it, else at a blank line, a line's end, a space,
 * or between two characters. Open entities are opened again in the next part. Only white space at the cuts is lost.
 */
export function splitFormatted(message: FormattedText, limits: Partial<Limits> = {}): FormattedText[] {
  const { text, entities } = canonical(message);
  const allowed = { ...MESSAGE_LIMITS, ...limits };
  const parts: FormattedText[] = [];
  let open = 0;
  let start = skipBlank(text, entities, 0);
  while (start < text.length) {
    while (endOf(entities[open]) <= start) open += 1;
    const near = entitiesFrom(entities, open, start, start + allowed.characters);
    const reach = furthest(text, near, start, allowed);
    const cut = reach === text.length ? reach : bestCut(text, near, start, reach, allowed);
    const part = slice(text, near, start, cut, allowed);
    if (part.text !== "") parts.push(part);
    start = skipBlank(text, near, cut);
  }
  return parts;
}

/** The same text without entities, for the day Telegram refuses them. */
export function plain(message: FormattedText): FormattedText {
  return { text: message.text, entities: [] };
}

/** How full a message must be before a cut of this kind is good enough. */
const FULL_ENOUGH = { blankLine: 1 / 2, newline: 1 / 3, space: 1 / 10 };

function endOf(entity: MessageEntity | undefined): number {
  return entity === undefined ? Number.POSITIVE_INFINITY : entity.offset + entity.length;
}

/** The entities that touch a stretch of text; all before `open` are known to end before it. */
function entitiesFrom(entities: MessageEntity[], open: number, start: number, end: number): MessageEntity[] {
  const near: MessageEntity[] = [];
  for (let index = open; index < entities.length; index += 1) {
    const entity = entities[index];
    // The first one after the stretch belongs to it: white space before it must not be skipped into it.
    if (entity && endOf(entity) > start) near.push(entity);
    if (entity === undefined || entity.offset > end) break;
  }
  return near;
}

/** Telegram trims a message's ends, so parts begin with something to see; inside code, indentation is that too. */
function skipBlank(text: string, entities: MessageEntity[], from: number): number {
  let start = from;
  for (const block of entities) {
    if (block.type !== "pre" || endOf(block) <= start) continue;
    start = after(text, start, /\s*/y, block.offset);
    if (start < block.offset) return start;
    start = after(text, start, /(?:[^\S\n]*\n)*/y, endOf(block));
    if (text.slice(start, endOf(block)).trim() !== "") return start;
    start = endOf(block);
  }
  return after(text, start, /\s*/y, text.length);
}

function after(text: string, start: number, pattern: RegExp, most: number): number {
  pattern.lastIndex = start;
  return Math.max(start, Math.min(most, start + (pattern.exec(text)?.[0].length ?? 0)));
}

/** The last place a part that begins at `start` can end. */
function furthest(text: string, entities: MessageEntity[], start: number, limits: Limits): number {
  let end = Math.min(start + limits.characters, text.length);
  let count = 0;
  let bytes = 0;
  for (const entity of entities) {
    if (entity.offset >= end) break;
    count += 1;
    bytes += weight(entity);
    const fits = count <= limits.entities && bytes <= limits.entityBytes;
    if (!fits && entity.offset > start) end = entity.offset;
  }
  return end;
}

/** What an entity costs Telegram at most: its numbers and type, and its text in UTF-8. */
function weight(entity: MessageEntity): number {
  const text =
    entity.type === "text_link" ? entity.url : entity.type === "pre" ? (entity.language ?? "") : "";
  return 32 + Buffer.byteLength(text);
}

function bestCut(
  text: string,
  entities: MessageEntity[],
  start: number,
  reach: number,
  limits: Limits,
): number {
  const blocks = entities.filter(({ type, offset }) => type === "pre" && offset < reach);
  const torn = blocks.find((block) => endOf(block) > reach);
  const room = reach - start;
  if (torn && text.slice(start, torn.offset).trim() !== "") {
    const saved = torn.length <= limits.characters;
    if (saved || torn.offset - start >= room * FULL_ENOUGH.blankLine) return torn.offset;
  }
  const whole = blocks.filter((block) => block !== torn);
  // The separator itself may stand beyond the reach: it is not part of the message.
  const stretch = text.slice(start, reach + 2);
  const last = (separator: string, fullness: number): number | undefined => {
    let at = stretch.lastIndexOf(separator, room);
    for (; at >= 1 && at >= room * fullness; at = stretch.lastIndexOf(separator, at - 1)) {
      const inside = whole.find((block) => start + at > block.offset && start + at < endOf(block));
      if (!inside) return start + at;
      at = Math.max(inside.offset - start, 0) + 1;
    }
    return undefined;
  };
  return (
    last("\n\n", FULL_ENOUGH.blankLine) ??
    last("\n", FULL_ENOUGH.newline) ??
    last(" ", FULL_ENOUGH.space) ??
    graphemeStart(text, start, reach)
  );
}

function slice(
  text: string,
  entities: MessageEntity[],
  start: number,
  end: number,
  limits: Limits,
): FormattedText {
  const shown = text.slice(start, end).trimEnd();
  let bytes = 0;
  const within = entities
    .filter(({ offset }) => offset < start + shown.length)
    .map((entity) => {
      const offset = Math.max(entity.offset - start, 0);
      return { ...entity, offset, length: Math.min(endOf(entity) - start, shown.length) - offset };
    })
    .filter((entity) => {
      bytes += weight(entity);
      return bytes <= limits.entityBytes;
    });
  return canonical({ text: shown, entities: within.slice(0, limits.entities) });
}
