import { badRequest } from "./refusal.ts";

/** What the text rules do to one character. */
export type CleanedCharacter = { start: number; length: number; kept: string };

/** Walks a text as Telegram does: tabs and control characters become spaces, some characters vanish. */
export function* cleanCharacters(text: string): Generator<CleanedCharacter> {
  let start = 0;
  for (const character of text) {
    yield { start, length: character.length, kept: cleanCharacter(character) };
    start += character.length;
  }
}

/** Every direction mark but the last of a run becomes a zero-width non-joiner: runs of them crashed clients. */
export function tameDirectionMarks(text: string): string {
  return text.replaceAll(/[\u200E\u200F]+/g, (run) => "\u200C".repeat(run.length - 1) + run.slice(-1));
}

/** Length as Telegram's limits count it: code points, not UTF-16 units. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}

/** True when nothing of the text would be visible. */
export function looksEmpty(text: string): boolean {
  return INVISIBLE.test(text);
}

/** Strings with half a surrogate pair cannot be UTF-8. */
export function assertWellFormed(text: string): void {
  if (/\p{Surrogate}/u.test(text)) throw badRequest("strings must be encoded in UTF-8");
}

const INVISIBLE =
  /^[\s\0\u00A0\u1680\u180E\u2000-\u200F\u202E\u202F\u205F\u2800\u3000\uFEFF\uFFFC\u{E0000}-\u{E007F}]*$/u;
const VANISHING = /^(?:[\r\u2028-\u202E]|\u030A|\u0333|\u033F)$/u;

function cleanCharacter(character: string): string {
  if (VANISHING.test(character)) return "";
  return character < " " && character !== "\n" ? " " : character;
}
