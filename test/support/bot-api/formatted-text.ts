import type { MessageEntity } from "grammy/types";
import { endOf, holdsNoStyle, inOrder, isQuote, isStyle, placed } from "./entity-order.ts";
import { badRequest } from "./refusal.ts";
import { assertWellFormed, cleanCharacters, looksEmpty, tameDirectionMarks } from "./text-rules.ts";

/** A text and its entities as Telegram stores them. */
export type FormattedText = { text: string; entities: MessageEntity[] };

/** Normalises a text with entities as Telegram does before it stores a message; refuses what Telegram refuses. */
export function fixFormattedText(text: string, entities: readonly MessageEntity[]): FormattedText {
  const fixed = trimmed(fixWithoutTrimming(text, entities));
  if (looksEmpty(fixed.text)) throw badRequest("text must be non-empty");
  return fixed;
}

/** The same up to the trimming; a text of blanks only becomes empty. */
export function fixWithoutTrimming(text: string, entities: readonly MessageEntity[]): FormattedText {
  assertWellFormed(text);
  for (const entity of entities) assertSaneNumbers(entity);
  const cleaned = clean(text, nest(entities.filter((entity) => entity.length > 0)));
  if (/^[ \n]*$/.test(cleaned.text)) return { text: "", entities: [] };
  return { text: cleaned.text, entities: nest(cleaned.entities) };
}

function assertSaneNumbers({ offset, length }: MessageEntity): void {
  const most = 1_000_000;
  if (offset < 0 || offset > most) throw badRequest(`receive an entity with incorrect offset ${offset}`);
  if (length < 0 || length > most) throw badRequest(`receive an entity with incorrect length ${length}`);
}

/** Makes any heap of entities well nested: styles are cut, what else would cross is dropped. */
function nest(entities: readonly MessageEntity[]): MessageEntity[] {
  const sorted = inOrder(entities);
  const quotes = withoutOverlaps(sorted.filter(isQuote));
  const solid = withoutOverlaps(sorted.filter((entity) => !isStyle(entity) && !isQuote(entity))).filter(
    (entity) => !quotes.some((quote) => crosses(entity, quote)),
  );
  const frame = [...quotes, ...solid];
  return inOrder([...frame, ...cutStyles(sorted.filter(isStyle), frame)]);
}

function withoutOverlaps(sorted: readonly MessageEntity[]): MessageEntity[] {
  let end = 0;
  return sorted.filter((entity) => {
    if (entity.offset < end) return false;
    end = endOf(entity);
    return true;
  });
}

/** A quote may hold an entity whole, but not begin or end inside it. */
function crosses(entity: MessageEntity, quote: MessageEntity): boolean {
  const apart = endOf(quote) <= entity.offset || endOf(entity) <= quote.offset;
  return !apart && !(quote.offset <= entity.offset && endOf(entity) <= endOf(quote));
}

/** Joins touching styles of one kind, then cuts them wherever another entity begins or ends, and inside code and dates drops them. */
function cutStyles(styles: readonly MessageEntity[], frame: readonly MessageEntity[]): MessageEntity[] {
  const runs = joinedRuns(styles);
  const cuts = [
    ...new Set([...runs.map((run) => run.offset), ...frame.flatMap((f) => [f.offset, endOf(f)])]),
  ];
  cuts.sort((a, b) => a - b);
  return runs.flatMap((run) => {
    const inside = cuts.filter((cut) => run.offset < cut && cut < endOf(run));
    const edges = [run.offset, ...inside, endOf(run)];
    return edges
      .slice(1)
      .map((edge, index) => placed(run, edges[index] ?? edge, edge))
      .filter(
        (piece) =>
          !frame.some((f) => holdsNoStyle(f) && f.offset <= piece.offset && endOf(piece) <= endOf(f)),
      );
  });
}

function joinedRuns(styles: readonly MessageEntity[]): MessageEntity[] {
  const runs: MessageEntity[] = [];
  for (const style of styles) {
    const index = runs.findLastIndex((run) => run.type === style.type);
    const last = runs[index];
    if (last === undefined || style.offset > endOf(last)) runs.push(style);
    else runs[index] = placed(last, last.offset, Math.max(endOf(last), endOf(style)));
  }
  return runs;
}

/** Cleans the text and moves the entities with it; an entity must begin and end at a character. */
function clean(text: string, entities: readonly MessageEntity[]): FormattedText {
  const moved = new Map<number, number>();
  let kept = "";
  for (const character of cleanCharacters(text)) {
    moved.set(character.start, kept.length);
    kept += character.kept;
  }
  moved.set(text.length, kept.length);
  assertOnCharacters(text, entities, moved);
  return {
    text: tameDirectionMarks(kept),
    entities: entities
      .map((entity) => placed(entity, moved.get(entity.offset) ?? 0, moved.get(endOf(entity)) ?? 0))
      .filter((entity) => entity.length > 0),
  };
}

/** Telegram reads from left to right and complains about the first entity edge that is not a character's edge. */
function assertOnCharacters(
  text: string,
  entities: readonly MessageEntity[],
  characters: ReadonlyMap<number, number>,
): void {
  // At one place the innermost entity ends first, and only then does another begin.
  const ends = entities.filter((entity) => splitsCharacter(endOf(entity))).toReversed();
  const begins = entities.filter((entity) => splitsCharacter(entity.offset));
  const splits = [
    ...ends.map((entity) => ({ at: endOf(entity), message: endsInside(entity) })),
    ...begins.map((entity) => ({ at: entity.offset, message: beginsInside(entity) })),
  ];
  const first = splits.toSorted((a, b) => a.at - b.at)[0];
  if (first !== undefined) throw badRequest(first.message);

  const late = entities.find((entity) => entity.offset > text.length);
  if (late !== undefined) {
    throw badRequest(`entity begins after the end of the text at UTF-16 offset ${late.offset}`);
  }
  const long = entities.findLast((entity) => endOf(entity) > text.length);
  if (long !== undefined) {
    const range = `beginning at UTF-16 offset ${long.offset} ends after the end of the text`;
    throw badRequest(`entity ${range} at UTF-16 offset ${endOf(long)}`);
  }

  function splitsCharacter(at: number): boolean {
    return at < text.length && !characters.has(at);
  }
  function beginsInside({ offset }: MessageEntity): string {
    return `entity begins in a middle of a UTF-16 symbol at byte offset ${bytesUpTo(offset + 1)}`;
  }
  function endsInside(entity: MessageEntity): string {
    const where = `ends in a middle of a UTF-16 symbol at byte offset ${bytesUpTo(endOf(entity) + 1)}`;
    return `entity beginning at UTF-16 offset ${entity.offset} ${where}`;
  }
  function bytesUpTo(at: number): number {
    return Buffer.byteLength(text.slice(0, at));
  }
}

function trimmed({ text, entities }: FormattedText): FormattedText {
  const end = text.length - (/[ \n]*$/.exec(text)?.[0].length ?? 0);
  const shortened = inOrder(
    entities
      .filter((entity) => entity.offset < end)
      .map((entity) => placed(entity, entity.offset, Math.min(endOf(entity), end))),
  );
  const limit = shortened[0]?.offset ?? end;
  const blanks = /^[ \n]*/.exec(text)?.[0].length ?? 0;
  const start = Math.min(blanks, limit);
  return {
    text: text.slice(start, end),
    entities: shortened.map((entity) => placed(entity, entity.offset - start, endOf(entity) - start)),
  };
}
