import { bold, code } from "../builder.ts";
import type { FormattedText } from "../formatted.ts";
import { literal } from "../literal.ts";
import { protect } from "../protect.ts";

/** A text on one line, at most `limit` long, with its hidden characters made visible. */
export function short(text: string, limit: number): string {
  return shown(text, limit, { multiline: false });
}

/** The same as code, so that Telegram makes nothing in it clickable: for names, titles and rules. */
export function shortCode(text: string, limit: number): FormattedText {
  return code(short(text, limit));
}

/** Words of Claude's as prose: cut to `limit`, and what only looks like a link, a mention or a command stands as code. */
export function prose(text: string, limit: number): FormattedText {
  const words = shown(text, limit, { multiline: true });
  const safe = protect({ text: words, entities: [] });
  // A message holds a hundred entities; a text that is mostly paths is no prose anyway.
  if (safe.entities.length <= mostCode) return safe;
  return { text: words, entities: [{ type: "code", offset: 0, length: words.length }] };
}

/** The same on one line. */
export function inline(text: string, limit: number): FormattedText {
  return prose(short(text, limit), limit);
}

/** A name of Claude's choosing, in bold. */
export function strong(text: string, limit: number): FormattedText {
  return protect(bold(short(text, limit)));
}

const mostCode = 4;

/** Only what can be seen is looked at, however long the text is; making things visible lengthens it, so it is cut again. */
function shown(text: string, limit: number, lines: { multiline: boolean }): string {
  const whole = text.trim();
  const words = literal(head(whole, limit + 2), lines);
  const fits = whole.length <= limit + 2 && words.length <= limit;
  return fits ? words : `${head(words, limit - 1).trimEnd()}…`;
}

/** The first `limit` UTF-16 units, never half a character. */
function head(text: string, limit: number): string {
  const end = text.slice(0, limit);
  return /[\uD800-\uDBFF]$/.test(end) && text.length > limit ? end.slice(0, -1) : end;
}
