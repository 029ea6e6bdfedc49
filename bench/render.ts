import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { noTasks } from "../src/claude/tasks.ts";
import { translate } from "../src/claude/translate.ts";
import { parseLine } from "../src/claude/wire.ts";
import { renderMarkdown } from "../src/telegram/render/markdown.ts";
import { splitFormatted } from "../src/telegram/render/split.ts";
import { recordedLines, recordingNames } from "../test/support/recordings.ts";
import { anAnswer } from "./support/an-answer.ts";
import { milliseconds, ratio, report } from "./support/report.ts";
import { median, sideBySide } from "./support/side-by-side.ts";

const RENDER_ROUNDS = 50;
const READ_ROUNDS = 11;
const REPEATS = 200;

await rendering();
await reading();

/** Claude's Markdown to Telegram's messages, beside the parser alone. */
async function rendering(): Promise<void> {
  const answer = anAnswer();
  const parse = () =>
    fromMarkdown(answer, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children.length;
  const render = () => splitFormatted(renderMarkdown(answer)).length;
  const times = await sideBySide(RENDER_ROUNDS, { render, parse });
  const [whole, parser] = [median(times.render), median(times.parse)];
  report(
    `An answer of ${(answer.length / 1000).toFixed(1)} kB`,
    [
      { work: "parse, render and split", ratio: ratio(whole, parser), median: milliseconds(whole) },
      { work: "parse alone", ratio: "1", median: milliseconds(parser) },
    ],
    `It becomes ${render()} messages; ${Math.round((parser / whole) * 100)} % of the time is the Markdown parser's.`,
  );
}

/** Claude's lines to our own events, beside JSON alone. */
async function reading(): Promise<void> {
  const recordings = recordingNames().map(recordedLines);
  const lines = recordings.flat();
  const bytes = lines.reduce((sum, line) => sum + line.length, 0) * REPEATS;
  const repeat = (work: () => void) => (): void => {
    for (let count = 0; count < REPEATS; count += 1) work();
  };
  const times = await sideBySide(READ_ROUNDS, {
    read: repeat(() => {
      for (const recording of recordings)
        recording.reduce((tasks, line) => translate(parseLine(line), tasks).tasks, noTasks);
    }),
    json: repeat(() => {
      for (const line of lines) JSON.parse(line);
    }),
  });
  const [read, json] = [median(times.read), median(times.json)];
  report(
    `All ${recordings.length} recordings of the CLI, ${REPEATS} times: ${lines.length * REPEATS} lines, ${(bytes / 1e6).toFixed(0)} MB`,
    [
      { work: "parse, check and translate", ratio: ratio(read, json), median: milliseconds(read) },
      { work: "JSON.parse alone", ratio: "1", median: milliseconds(json) },
    ],
    `A line is read in ${((read / lines.length / REPEATS) * 1000).toFixed(0)} µs.`,
  );
}
