import { expect, test } from "vitest";
import { translate } from "../../src/claude/translate.ts";
import { parseLine } from "../../src/claude/wire.ts";
import { advance, isIdle, noWork, type Work } from "../../src/core/work.ts";
import { recordedLines, recordingNames } from "../support/recordings.ts";

/** The state after every event. */
function statesOf(name: string): Work[] {
  let work = noWork;
  const facts = { at: 0, titleOf: (tool: string) => tool };
  return recordedLines(name)
    .flatMap((line) => translate(parseLine(line)).events)
    .map((event) => {
      work = advance(work, event, facts);
      return work;
    });
}

/** How each tool of a recording ended, by what was seen of it last. */
function endsOf(name: string): Record<string, string> {
  const steps = statesOf(name).flatMap((work) => work.turn?.steps ?? []);
  return Object.fromEntries(steps.map((step) => [`${step.tool} ${step.toolUseId}`, step.state]));
}

test.each(recordingNames())("%s: every turn ends, and the process is idle after the last one", (name) => {
  const last = statesOf(name).at(-1);
  expect(last).toBeDefined();
  expect(last && isIdle(last, 5000)).toBe(true);
});

test.each(recordingNames())("%s: folding the log twice gives the same state", (name) => {
  expect(statesOf(name)).toEqual(statesOf(name));
});

test("a tool that waited when the turn was stopped is shown as denied", () => {
  expect(Object.values(endsOf("interrupt-waiting"))).toEqual(["denied"]);
});

test("an approved tool is shown as done", () => {
  expect(Object.values(endsOf("approve"))).toEqual(["ok"]);
});

test("a plan that was sent back is not done, and the one after it is", () => {
  // The recording denies with other words than ours, so this one counts as failed.
  expect(Object.values(endsOf("plan-file"))).toEqual(["ok", "failed", "ok"]);
});

test("a retry is shown while it lasts, and gone once Claude speaks", () => {
  const states = statesOf("api-retry");
  const attempts = states.flatMap((work) => work.turn?.retry?.attempt ?? []);
  expect(attempts).toEqual(expect.arrayContaining([1, 2]));
  expect(states.findLast((work) => work.turn !== undefined)?.turn).not.toHaveProperty("retry");
});

test("the mode is the one that Claude read back", () => {
  const modes = new Set(statesOf("set-mode").flatMap(({ mode }) => mode ?? []));
  // The CLI takes a mode that it does not know, and says so.
  expect([...modes]).toEqual(["plan", "nonsense"]);
  expect(statesOf("plan-file").at(-1)?.mode).toBe("default");
});
