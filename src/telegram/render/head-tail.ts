import { graphemeStart } from "./grapheme.ts";

/** Shortens a long text to its head and its tail, and says between them how much is missing; `characters` counts all of it. */
export function headAndTail(
  text: string,
  {
    lines = Number.POSITIVE_INFINITY,
    characters = Number.POSITIVE_INFINITY,
  }: { lines?: number; characters?: number },
): string {
  const all = text.split("\n");
  // A gap that hides one line would only take the place of that line.
  if (all.length <= Math.max(lines, FEWEST_LINES) + 1 && text.length <= characters) return text;
  let few = FEWEST_LINES;
  let many = Math.min(lines, all.length - 2);
  if (many < few || keepLines(all, few).length > characters) return keepCharacters(text, characters, lines);
  while (few < many) {
    const middle = Math.ceil((few + many) / 2);
    if (keepLines(all, middle).length <= characters) few = middle;
    else many = middle - 1;
  }
  return keepLines(all, few);
}

/** One of the head, one of the tail. */
const FEWEST_LINES = 2;
/** Room for the line that says what is missing. */
const GAP_LENGTH = 32;

/** The beginning says more than the end. */
function headOf(room: number): number {
  return Math.ceil((room * 2) / 3);
}

function keepLines(all: string[], count: number): string {
  const head = Math.min(headOf(count), count - 1);
  return [...all.slice(0, head), gap(all.length - count, "line"), ...all.slice(head - count)].join("\n");
}

function keepCharacters(text: string, characters: number, lines: number): string {
  const room = Math.max(Math.min(characters, text.length) - GAP_LENGTH, FEWEST_LINES);
  const head = text
    .slice(0, graphemeStart(text, 0, headOf(room)))
    .split("\n")
    .slice(0, Math.max(1, headOf(lines)))
    .join("\n");
  const tail = text
    .slice(graphemeEnd(text, text.length - (room - headOf(room))))
    .split("\n")
    .slice(-Math.max(1, Math.floor(lines / 3)))
    .join("\n");
  return `${head}\n${gap(text.length - head.length - tail.length, "character")}\n${tail}`;
}

/** The first place not before `at` where a visible character begins. */
function graphemeEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && graphemeStart(text, 0, end) !== end) end += 1;
  return end;
}

function gap(count: number, unit: string): string {
  return `… ${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"} …`;
}
