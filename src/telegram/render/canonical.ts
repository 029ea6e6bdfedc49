import type { MessageEntity } from "grammy/types";
import type { FormattedText } from "./formatted.ts";

/**
 * Brings entities into the one form Telegram itself would give them, so that it changes nothing on arrival:
 * code and pre hold no other style, links and quotes do not overlap their like, and styles are cut
 * where one of these begins or ends and where another style begins.
 */
export function canonical({ text, entities }: FormattedText): FormattedText {
  const within = entities.flatMap((entity) => clipped(entity, text.length)).toSorted(byPlace);
  const quotes = apart(within.filter(isQuote));
  const solid = apart(
    within.filter((entity) => !isQuote(entity) && !isStyle(entity)).filter(staysIn(quotes)),
  );
  const code = solid.filter((entity) => entity.type === "code" || entity.type === "pre");

  const styles = STYLES.flatMap((type) => {
    const ranges = without(merged(within.filter((entity) => entity.type === type)), code);
    return ranges.map((range) => ({ type, ...range }));
  });
  const edges = [...quotes, ...solid].flatMap(({ offset, length }) => [offset, offset + length]);
  const cuts = [...new Set([...edges, ...styles.map((style) => style.offset)])].toSorted((a, b) => a - b);

  return {
    text,
    entities: [...quotes, ...solid, ...styles.flatMap((style) => cutAt(style, cuts))].toSorted(byPlace),
  };
}

type Range = { offset: number; length: number };
type StyleType = (typeof STYLES)[number];

const STYLES = ["bold", "italic", "underline", "strikethrough", "spoiler"] as const;

/** Of entities over the same text, the outer one comes first. */
const RANK: Partial<Record<MessageEntity["type"], number>> = {
  blockquote: 0,
  expandable_blockquote: 0,
  pre: 10,
  code: 20,
  bold: 90,
  italic: 91,
  underline: 92,
  strikethrough: 93,
  spoiler: 94,
};
const RANK_OF_LINKS = 49;

function byPlace(a: MessageEntity, b: MessageEntity): number {
  return (
    a.offset - b.offset ||
    b.length - a.length ||
    (RANK[a.type] ?? RANK_OF_LINKS) - (RANK[b.type] ?? RANK_OF_LINKS)
  );
}

function isQuote(entity: MessageEntity): boolean {
  return entity.type === "blockquote" || entity.type === "expandable_blockquote";
}

function isStyle(entity: MessageEntity): boolean {
  return STYLES.some((type) => type === entity.type);
}

function clipped(entity: MessageEntity, end: number): MessageEntity[] {
  const offset = Math.max(entity.offset, 0);
  const length = Math.min(entity.offset + entity.length, end) - offset;
  return length > 0 ? [{ ...entity, offset, length }] : [];
}

/** Keeps, from left to right, what overlaps nothing kept before it. */
function apart(sorted: MessageEntity[]): MessageEntity[] {
  let free = 0;
  return sorted.filter(({ offset, length }) => {
    if (offset < free) return false;
    free = offset + length;
    return true;
  });
}

/** Whether an entity lies wholly inside or wholly outside of each quote. Both lists are sorted. */
function staysIn(quotes: Range[]): (entity: Range) => boolean {
  let next = 0;
  return ({ offset, length }) => {
    for (let quote = quotes[next]; quote && quote.offset + quote.length <= offset; quote = quotes[next])
      next += 1;
    const quote = quotes[next];
    if (quote === undefined || offset + length <= quote.offset) return true;
    return offset >= quote.offset && offset + length <= quote.offset + quote.length;
  };
}

/** Joins sorted ranges that overlap or touch. */
function merged(sorted: Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { offset, length } of sorted) {
    const last = ranges.at(-1);
    if (last && offset <= last.offset + last.length) {
      last.length = Math.max(last.length, offset + length - last.offset);
    } else {
      ranges.push({ offset, length });
    }
  }
  return ranges;
}

/** Takes holes out of ranges; both are sorted and apart. */
function without(ranges: Range[], holes: Range[]): Range[] {
  const rest: Range[] = [];
  let first = 0;
  for (const range of ranges) {
    const end = range.offset + range.length;
    let from = range.offset;
    for (let index = first; index < holes.length; index += 1) {
      const hole = holes[index];
      if (hole === undefined || hole.offset >= end) break;
      if (hole.offset + hole.length <= from) {
        first = index + 1;
        continue;
      }
      if (hole.offset > from) rest.push({ offset: from, length: hole.offset - from });
      from = hole.offset + hole.length;
    }
    if (from < end) rest.push({ offset: from, length: end - from });
  }
  return rest;
}

/** Cuts one style at the places that lie inside of it. */
function cutAt(style: Range & { type: StyleType }, cuts: number[]): MessageEntity[] {
  const pieces: MessageEntity[] = [];
  const end = style.offset + style.length;
  let from = style.offset;
  for (let index = firstAfter(cuts, from); index < cuts.length; index += 1) {
    const cut = cuts[index];
    if (cut === undefined || cut >= end) break;
    pieces.push({ type: style.type, offset: from, length: cut - from });
    from = cut;
  }
  pieces.push({ type: style.type, offset: from, length: end - from });
  return pieces;
}

function firstAfter(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
