/**
 * Makes every hidden character of a text visible and inert, so that what is read is what is there.
 * Real emoji stay whole; a line break stays one where `multiline` allows it and is `⏎` elsewhere.
 */
export function literal(text: string, { multiline }: { multiline: boolean }): string {
  const unix = text.replaceAll("\r\n", "\n");
  const visible = SUSPECT.test(unix)
    ? unix.replace(RING, (pair) => pair.normalize()).replace(TOKEN, show)
    : unix;
  const untabbed = visible.includes("\t") ? expandTabs(visible) : visible;
  return multiline ? untabbed : untabbed.replaceAll("\n", "⏎");
}

const TAB_WIDTH = 4;

/** Scripts whose spelling needs zero-width joiners between letters (Persian, Hindi, Sinhala and their kin). */
const JOINING = "Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mong"
  .split(" ")
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Format characters that are drawn: signs that enclose the digits after them. */
const DRAWN = "\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}";

// Beside the invisible ones: a blank Braille cell, and three combining lines that Telegram silently removes.
const HIDDEN = `(?![\\n\\t${DRAWN}])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\u2800\\u030A\\u0333\\u033F]`;

const PICTURE = "\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|[\\uFE0E\\uFE0F])?";
const EMOJI = [
  // England, Scotland, Wales: the only flags written with tag characters.
  "\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}",
  "[0-9#*]\\uFE0F\\u20E3",
  `${PICTURE}(?:\\u200D${PICTURE})*`,
].join("|");
const JOINED = `(?<=[${JOINING}]\\p{M}{0,3})[\\u200C\\u200D](?=[${JOINING}])`;

const SUSPECT = new RegExp(HIDDEN, "u");
const TOKEN = new RegExp(`(${EMOJI}|${JOINED})|${HIDDEN}`, "gu");
// File names from macOS carry å in two parts, and Telegram would drop the second.
const RING = /\p{L}\u030A/gu;

const NAMES = new Map([
  [0x00, "NUL"],
  [0x07, "BEL"],
  [0x08, "BS"],
  [0x0b, "VT"],
  [0x0c, "FF"],
  [0x0d, "CR"],
  [0x1b, "ESC"],
  [0x7f, "DEL"],
]);

function show(token: string, kept: string | undefined): string {
  if (kept !== undefined) return kept;
  const point = token.codePointAt(0) ?? 0;
  return `⟨${NAMES.get(point) ?? `U+${point.toString(16).toUpperCase().padStart(4, "0")}`}⟩`;
}

/** Telegram turns a tab into one space, which would flatten the indentation of code. */
function expandTabs(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const [first = "", ...rest] = line.split("\t");
      return rest.reduce(
        (done, cell) => done + " ".repeat(TAB_WIDTH - (done.length % TAB_WIDTH)) + cell,
        first,
      );
    })
    .join("\n");
}
