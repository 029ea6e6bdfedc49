import type { MessageEntity } from "grammy/types";

/** Styles may overlap anything but code, and are cut into pieces where they do. */
export function isStyle(entity: MessageEntity): boolean {
  return STYLES.has(entity.type);
}

/** Quotes hold other entities, but no quote holds a quote. */
export function isQuote(entity: MessageEntity): boolean {
  return entity.type === "blockquote" || entity.type === "expandable_blockquote";
}

/** Code and dates show their own way: a style inside them is dropped. */
export function holdsNoStyle(entity: MessageEntity): boolean {
  return entity.type === "pre" || entity.type === "code" || entity.type === "date_time";
}

/** Where the entity stops: the first UTF-16 unit after it. */
export function endOf(entity: MessageEntity): number {
  return entity.offset + entity.length;
}

/** The same entity at another place. */
export function placed(entity: MessageEntity, start: number, end: number): MessageEntity {
  return { ...entity, offset: start, length: end - start };
}

/** Telegram's order: earlier first, then longer, then the type that holds the others. */
export function inOrder(entities: readonly MessageEntity[]): MessageEntity[] {
  return entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length || rank(a) - rank(b));
}

const STYLES: ReadonlySet<string> = new Set(["bold", "italic", "underline", "strikethrough", "spoiler"]);
const RANKS: Readonly<Record<string, number>> = {
  blockquote: 0,
  expandable_blockquote: 0,
  code: 20,
  date_time: 48,
  text_link: 49,
  text_mention: 49,
  bold: 90,
  italic: 91,
  underline: 92,
  strikethrough: 93,
  spoiler: 94,
  custom_emoji: 99,
};

function rank(entity: MessageEntity): number {
  // A block with a language comes before one without, as in Telegram's own table.
  if (entity.type === "pre") return entity.language === undefined ? 11 : 10;
  return RANKS[entity.type] ?? 50;
}
