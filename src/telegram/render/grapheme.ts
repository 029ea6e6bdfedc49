/** The last place not after `end` where a visible character begins, but always past `start`. */
export function graphemeStart(text: string, start: number, end: number): number {
  const window = text.slice(Math.max(start, end - WINDOW), end + WINDOW);
  const inWindow = end - Math.max(start, end - WINDOW);
  const found = graphemes.segment(window).containing(inWindow);
  const place = found ? end - (inWindow - found.index) : text.length;
  if (place > start && found?.index !== 0) return place;
  // One character longer than the room for it: whole code points are the best that is left.
  const splitsPair = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  if (!splitsPair) return end;
  return end - 1 > start ? end - 1 : end + 1;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The longest emoji have some thirty units; longer runs of marks are cut. */
const WINDOW = 100;
