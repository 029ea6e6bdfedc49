import { expect, test } from "vitest";
import type { Ask } from "../../src/core/agent-event.ts";
import { judge, type PolicyFacts, type Reach } from "../../src/core/policy.ts";
import { anAsk } from "./an-ask.ts";

const facts: PolicyFacts = { autoApprove: new Set(["Read", "WebSearch"]), reach: "inside" };
const aRead = (fields: Partial<Ask> = {}) => anAsk({ tool: "Read", input: { file_path: "a.ts" }, ...fields });
const reaching = (reach: Reach): PolicyFacts => ({ ...facts, reach });

test("a tool of the safe set is allowed, and the rule is named", () => {
  expect(judge(aRead(), facts)).toEqual({ kind: "allow", rule: "auto_approve: Read" });
});

test("every other tool is asked about", () => {
  expect(judge(anAsk(), facts)).toEqual({ kind: "ask" });
  expect(judge(anAsk({ tool: "read" }), facts)).toEqual({ kind: "ask" });
  expect(judge(aRead(), { ...facts, autoApprove: new Set() })).toEqual({ kind: "ask" });
});

test.each<[string, Partial<Ask>]>([
  ["Claude says that it needs a person", { needsPerson: true }],
  ["the user's own settings say ask", { matchedAskRule: true }],
  ["the path is outside of the working directory", { reasonType: "workingDir" }],
  ["Claude names a blocked path", { blockedPath: "/etc/passwd" }],
  ["the blocked path is empty", { blockedPath: "" }],
])("the safe set does not answer when %s", (_why, fields) => {
  expect(judge(aRead(fields), facts)).toEqual({ kind: "ask" });
});

test("the safe set does not answer for a path that leads out of the project", () => {
  expect(judge(aRead(), reaching("outside"))).toEqual({ kind: "ask" });
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
    expect(judge(anAsk({ tool }), { ...facts, autoApprove: new Set([tool]) })).toEqual({ kind: "ask" });
  },
);

test("Signoff's own folders are denied to every tool, the safe ones too", () => {
  for (const ask of [aRead(), anAsk({ tool: "Write" }), aRead({ reasonType: "workingDir" })]) {
    expect(judge(ask, reaching("own"))).toMatchObject({ kind: "deny", rule: "own folders" });
  }
});

test("what needs a person comes before every denial", () => {
  expect(judge(aRead({ needsPerson: true }), reaching("own"))).toEqual({ kind: "ask" });
  expect(judge(aRead({ matchedAskRule: true }), reaching("own"))).toEqual({ kind: "ask" });
  expect(judge(anAsk({ tool: "ExitPlanMode" }), reaching("own"))).toEqual({ kind: "ask" });
});
