import { expect, test } from "vitest";
import {
  cooldownMs,
  hasOutline,
  hearText,
  judgePlan,
  OUTLINE_PLEASE,
  openGate,
  type PlanGate,
  pausePlan,
  remainingMs,
} from "../../src/core/plan-gate.ts";

const second = 1000;
const start = 1_700_000_000_000;
const plan = "1. Do it.";
const outline = "First the parser, then the tests. ".repeat(6);

/** A gate after so many presses of Pause & Outline Plan, the last one at `at`. */
function pausedTimes(times: number, at = start): PlanGate {
  let gate = openGate;
  for (let pauses = 0; pauses < times; pauses += 1) gate = pausePlan(gate, plan, at);
  return gate;
}

test("the first plan is shown at once, and being shown changes nothing", () => {
  expect(judgePlan(openGate, plan, start)).toEqual({ kind: "ask", stage: "first", gate: openGate });
});

test.each([
  [1, 30],
  [2, 60],
  [3, 90],
  [4, 120],
  [5, 120],
  [50, 120],
])("after %i pauses a plan without an outline is sent back for %i seconds", (pauses, seconds) => {
  const gate = pausedTimes(pauses);
  expect(cooldownMs(pauses)).toBe(seconds * second);
  expect(judgePlan(gate, plan, start + seconds * second - 1).kind).toBe("deny");
  expect(judgePlan(gate, plan, start + seconds * second)).toMatchObject({ kind: "ask", stage: "again" });
});

test("a plan that is sent back says why, and the wait begins anew", () => {
  const verdict = judgePlan(pausedTimes(2), plan, start + 50 * second);
  expect(verdict).toMatchObject({
    kind: "deny",
    gate: { pauses: 2, pausedAt: start + 50 * second, denials: 1 },
  });
  expect(verdict).toMatchObject({ message: expect.stringContaining(OUTLINE_PLEASE) });
  expect(verdict).toMatchObject({ message: expect.stringContaining("Wait: 60 s.") });
  expect(remainingMs(verdict.gate, start + 50 * second)).toBe(60 * second);
});

test("the pauses outlast the wait, so that the next one is longer", () => {
  const { gate } = judgePlan(pausedTimes(1), plan, start + 3600 * second);
  expect(gate.pauses).toBe(1);
  const again = pausePlan(gate, plan, start + 3600 * second);
  expect(remainingMs(again, start + 3600 * second)).toBe(60 * second);
});

test("a gate that Approve or Deny opened shows the next plan at once, and its first pause is short again", () => {
  expect(judgePlan(openGate, plan, start).kind).toBe("ask");
  expect(remainingMs(pausePlan(openGate, plan, start), start)).toBe(30 * second);
});

test("a pause in the future counts as over, for a clock may be set back", () => {
  const gate = pausedTimes(3, start + 3600 * second);
  expect(remainingMs(gate, start)).toBe(0);
  expect(judgePlan(gate, plan, start)).toMatchObject({ kind: "ask", stage: "again" });
});

test("after three automatic denials in a row the person is asked, and then three more are possible", () => {
  let gate = pausedTimes(4);
  const kinds: string[] = [];
  for (let now = start; kinds.length < 8; now += second) {
    const verdict = judgePlan(gate, plan, now);
    kinds.push(verdict.kind);
    gate = verdict.gate;
  }
  expect(kinds).toEqual(["deny", "deny", "deny", "ask", "deny", "deny", "deny", "ask"]);
  expect(gate.pauses).toBe(4);
});

test("with an outline the plan is shown at any time, also at once after the pause", () => {
  const gate = hearText(pausedTimes(4), outline);
  expect(judgePlan(gate, plan, start)).toMatchObject({ kind: "ask", stage: "outlined" });
  expect(judgePlan(gate, plan, start + 3600 * second)).toMatchObject({ kind: "ask", stage: "outlined" });
});

test("the outline may come in pieces, and is kept with a blank line between them", () => {
  const half = "x".repeat(99);
  const gate = hearText(hearText(pausedTimes(1), half), half);
  expect(gate.outline).toBe(`${half}\n\n${half}`);
  expect(hasOutline(gate, plan)).toBe(true);
});

test("200 characters make an outline, 199 and any number of blanks do not", () => {
  expect(hasOutline(hearText(pausedTimes(1), "x".repeat(200)), plan)).toBe(true);
  expect(hasOutline(hearText(pausedTimes(1), `${"x".repeat(199)}${" ".repeat(50)}`), plan)).toBe(false);
});

test("only what was written after the press is an outline", () => {
  const before = hearText(openGate, outline);
  expect(before).toEqual(openGate);
  expect(hasOutline(pausePlan(before, plan, start), plan)).toBe(false);

  const outlined = hearText(pausedTimes(1), outline);
  expect(hasOutline(pausePlan(outlined, plan, start), plan)).toBe(false);
});

test("a changed plan of that length counts as an outline, the paused one and a short one do not", () => {
  const gate = pausePlan(openGate, outline, start);
  expect(judgePlan(gate, `${outline} And more.`, start)).toMatchObject({ kind: "ask", stage: "outlined" });
  expect(judgePlan(gate, `\n${outline}\n`, start).kind).toBe("deny");
  expect(judgePlan(gate, "Another plan.", start).kind).toBe("deny");
  expect(judgePlan(gate, "", start).kind).toBe("deny");
});

test("nothing is an outline while nothing is paused", () => {
  expect(hasOutline({ ...openGate, outline }, outline)).toBe(false);
});
