import { expect, test } from "vitest";
import type { Ask } from "../../src/core/agent-event.ts";
import type { OwnRule } from "../../src/core/own-rules.ts";
import { judge, type PolicyFacts, type Reach } from "../../src/core/policy.ts";
import { anAsk } from "./an-ask.ts";

const facts: PolicyFacts = {
  autoApprove: new Set(["Read", "WebSearch"]),
  rules: [],
  project: "/web",
  paths: [{ written: "/web/a.ts", real: "/web/a.ts" }],
  reach: "inside",
};
const undecided = { kind: "ask", because: "no rule" };
const personal = { kind: "ask", because: "person" };
const aRead = (fields: Partial<Ask> = {}) => anAsk({ tool: "Read", input: { file_path: "a.ts" }, ...fields });
const reaching = (reach: Reach): PolicyFacts => ({ ...facts, reach });

test("a tool of the safe set is allowed, and the rule is named", () => {
  expect(judge(aRead(), facts)).toEqual({ kind: "allow", rule: "auto_approve: Read" });
});

test("every other tool is asked about", () => {
  expect(judge(anAsk(), facts)).toEqual(undecided);
  expect(judge(anAsk({ tool: "read" }), facts)).toEqual(undecided);
  expect(judge(aRead(), { ...facts, autoApprove: new Set() })).toEqual(undecided);
});

test.each<[string, Partial<Ask>]>([
  ["Claude says that it needs a person", { needsPerson: true }],
  ["the user's own settings say ask", { matchedAskRule: true }],
  ["the path is outside of the working directory", { reasonType: "workingDir" }],
  ["Claude names a blocked path", { blockedPath: "/etc/passwd" }],
  ["the blocked path is empty", { blockedPath: "" }],
])("the safe set does not answer when %s", (_why, fields) => {
  expect(judge(aRead(fields), facts).kind).toBe("ask");
});

test("the safe set does not answer for a path that leads out of the project", () => {
  expect(judge(aRead(), reaching("outside"))).toEqual(undecided);
});

test.each(["noAlways", "defaultToNo"] as const)(
  "%s alone does not keep the safe set from answering",
  (flag) => {
    expect(judge(aRead({ [flag]: true }), facts).kind).toBe("allow");
  },
);

test("other reasons than the working directory do not keep the safe set from answering", () => {
  expect(judge(aRead({ reasonType: "other", agentId: "agent-1" }), facts).kind).toBe("allow");
});

test.each(["ExitPlanMode", "AskUserQuestion"])(
  "%s reaches a person, even where the config allows it",
  (tool) => {
    expect(judge(anAsk({ tool }), { ...facts, autoApprove: new Set([tool]) })).toEqual(personal);
  },
);

test("Signoff's own folders are denied to every tool, the safe ones too", () => {
  for (const ask of [aRead(), anAsk({ tool: "Write" }), aRead({ reasonType: "workingDir" })]) {
    expect(judge(ask, reaching("own"))).toMatchObject({ kind: "deny", rule: "own folders" });
  }
});

test("what needs a person comes before every denial", () => {
  expect(judge(aRead({ needsPerson: true }), reaching("own"))).toEqual(personal);
  expect(judge(aRead({ matchedAskRule: true }), reaching("own"))).toEqual(personal);
  expect(judge(anAsk({ tool: "ExitPlanMode" }), reaching("own"))).toEqual(personal);
});

const ruled = (...rules: OwnRule[]): PolicyFacts => ({ ...facts, rules });
const aRule = (fields: Partial<OwnRule>): OwnRule => ({
  name: "approvals.rules[0]",
  tool: "*",
  decision: "allow",
  ...fields,
});

test("a rule of the owner's comes before the safe set, whatever it says", () => {
  expect(judge(anAsk(), ruled(aRule({})))).toEqual({ kind: "allow", rule: "approvals.rules[0]" });
  expect(judge(aRead(), ruled(aRule({ decision: "ask" })))).toEqual({ kind: "ask", because: "rule" });
  expect(judge(aRead(), ruled(aRule({ decision: "deny", reason: "Use the index." })))).toEqual({
    kind: "deny",
    rule: "approvals.rules[0]",
    message: "The user denied this. Use the index.",
  });
  expect(judge(aRead(), ruled(aRule({ decision: "deny" })))).toMatchObject({
    message: expect.stringContaining("A rule of theirs forbids it."),
  });
});

test("no rule opens what needs a person, nor Signoff's own folders", () => {
  const open = ruled(aRule({ paths: ["/**"] }), aRule({}));
  expect(judge(aRead({ needsPerson: true }), open)).toEqual(personal);
  expect(judge(aRead({ matchedAskRule: true }), open)).toEqual(personal);
  expect(judge(anAsk({ tool: "AskUserQuestion" }), open)).toEqual(personal);
  expect(judge(aRead(), { ...open, reach: "own" })).toMatchObject({ kind: "deny", rule: "own folders" });
});

test.each<[string, Partial<PolicyFacts>, Partial<Ask>]>([
  ["a path leads out", { reach: "outside", paths: [{ written: "/etc/x", real: "/etc/x" }] }, {}],
  ["Claude says so", {}, { reasonType: "workingDir" }],
  ["Claude names a blocked path", {}, { blockedPath: "/web/a.ts" }],
])("a rule that allows a tool ends at the project: %s", (_why, more, fields) => {
  const open = { ...ruled(aRule({}), aRule({ paths: ["**"] })), ...more };
  expect(judge(aRead(fields), open)).toEqual(undecided);
  expect(judge(aRead(fields), { ...open, rules: [aRule({ paths: ["/web/**", "/etc/*"] })] }).kind).toBe(
    "allow",
  );
});

test("where the last rule cannot allow, an earlier one still denies", () => {
  const rules = [aRule({ name: "etc", paths: ["/etc/**"], decision: "deny" }), aRule({ name: "all" })];
  const out: PolicyFacts = {
    ...facts,
    rules,
    reach: "outside",
    paths: [{ written: "/etc/x", real: "/etc/x" }],
  };
  expect(judge(aRead(), out)).toMatchObject({ kind: "deny", rule: "etc" });
});
