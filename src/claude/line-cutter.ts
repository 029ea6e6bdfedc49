/** Whole lines, and the absolute offset just after the last of them. */
export type LineBatch = { lines: string[]; endOffset: number };

/** Cuts a stream of chunks into batches of whole lines. */
export type LineCutter = { cut(chunk: Buffer): Generator<LineBatch> };

const newline = 0x0a;
const linesPerBatch = 200;

/**
 * Starts cutting at an absolute offset, which must be the beginning of a line.
 * Lines are cut at newline bytes and decoded whole, so that no character is ever decoded in halves.
 */
export function createLineCutter(offset: number): LineCutter {
  // The beginning of a line whose end has not come yet, in pieces: joined once, however many chunks the line spans.
  let torn: Buffer[] = [];
  let endOffset = offset;

  return {
    *cut(chunk) {
      let lines: string[] = [];
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const line = joined(torn, chunk.subarray(start, end));
        torn = [];
        start = end + 1;
        endOffset += line.length + 1;
        lines.push(line.toString("utf8"));
        if (lines.length === linesPerBatch) {
          yield { lines, endOffset };
          lines = [];
        }
      }
      // Copied: a few bytes of the next line must not keep the whole chunk in memory.
      if (start < chunk.length) torn.push(Buffer.from(chunk.subarray(start)));
      if (lines.length > 0) yield { lines, endOffset };
    },
  };
}

function joined(before: Buffer[], last: Buffer): Buffer {
  return before.length === 0 ? last : Buffer.concat([...before, last]);
}
