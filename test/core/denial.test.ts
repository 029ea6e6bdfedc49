import { expect, test } from "vitest";
import { denial, isDenial, unanswered } from "../../src/core/denial.ts";
import { DISCUSS_PLEASE, judgePlan, OUTLINE_PLEASE, openGate, pausePlan } from "../../src/core/plan-gate.ts";
import { judge } from "../../src/core/policy.ts";
import { anAsk } from "./an-ask.ts";

test("a denial keeps its words and is known again", () => {
  expect(denial("Use another name.")).toContain("Use another name.");
  expect(isDenial(denial("Use another name."))).toBe(true);
});

test("what the gate and the policy say is known as a denial", () => {
  const sentBack = judgePlan(pausePlan(openGate, "", 0), "", 1);
  const facts = {
    autoApprove: new Set<string>(),
    rules: [],
    project: "/web",
    paths: [],
    reach: "own",
  } as const;
  const own = judge(anAsk(), facts);
  const messages = [sentBack, own].flatMap((verdict) => (verdict.kind === "deny" ? verdict.message : []));
  expect([...messages, OUTLINE_PLEASE, DISCUSS_PLEASE].map(isDenial)).toEqual([true, true, true, true]);
});

test("a denial because nobody answered says so, and is known as one", () => {
  expect(unanswered(5)).toContain("Nobody answered within 5 minutes");
  expect(unanswered(1)).toContain("within 1 minute,");
  expect(isDenial(unanswered(0.5))).toBe(true);
});

test("Claude's own words for a rejected tool are known as a denial, any other result is not", () => {
  expect(isDenial("The user doesn't want to proceed with this tool use.")).toBe(true);
  expect(["", "exit 1", "Permission denied", "grep: The user denied this"].some(isDenial)).toBe(false);
});
