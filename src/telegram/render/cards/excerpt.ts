import { headAndTail } from "../head-tail.ts";
import { literal } from "../literal.ts";

/**
 * The head and the tail of an exact text, literally, in at most `limit` characters. Making hidden characters visible
 * lengthens a text up to ninefold, so less of it is kept until it fits: however long it is, little of it is looked at.
 */
export function excerpt(text: string, limit: number): { text: string; cut: boolean } {
  for (let room = limit; ; room = Math.floor(room / 2)) {
    const kept = headAndTail(text, { lines: mostLines, characters: room });
    const shown = literal(kept, { multiline: true });
    if (shown.length <= limit || room <= smallest) return { text: shown, cut: kept !== text };
  }
}

const mostLines = 40;
const smallest = 8;
