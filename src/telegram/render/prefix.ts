import type { MessageEntity } from "grammy/types";
import type { FormattedText } from "./formatted.ts";

/** Puts one prefix before the first line and another before each further line; lines of code stay as they are. */
export function prefixLines({ text, entities }: FormattedText, first: string, rest: string): FormattedText {
  const blocks = entities.filter(({ type }) => type === "pre");
  const inserts: { at: number; prefix: string }[] = [{ at: 0, prefix: first }];
  let block = 0;
  for (let at = text.indexOf("\n") + 1; at > 0; at = text.indexOf("\n", at) + 1) {
    for (let pre = blocks[block]; pre && pre.offset + pre.length <= at; pre = blocks[block]) block += 1;
    const pre = blocks[block];
    if (pre === undefined || at < pre.offset)
      inserts.push({ at, prefix: text[at] === "\n" ? rest.trimEnd() : rest });
  }
  return inserted(text, entities, inserts);
}

/** Inserts at places sorted from left to right; an entity that begins at a place begins after what is inserted there. */
function inserted(
  text: string,
  entities: MessageEntity[],
  inserts: { at: number; prefix: string }[],
): FormattedText {
  let done = "";
  let from = 0;
  const added: number[] = [];
  let total = 0;
  for (const { at, prefix } of inserts) {
    done += text.slice(from, at) + prefix;
    from = at;
    total += prefix.length;
    added.push(total);
  }
  const moved = (place: number, isEnd: boolean): number => {
    let low = 0;
    let high = inserts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = inserts[middle]?.at ?? 0;
      if (isEnd ? at < place : at <= place) low = middle + 1;
      else high = middle;
    }
    return place + (added[low - 1] ?? 0);
  };
  return {
    text: done + text.slice(from),
    entities: entities.map((entity) => {
      const offset = moved(entity.offset, false);
      return { ...entity, offset, length: moved(entity.offset + entity.length, true) - offset };
    }),
  };
}
