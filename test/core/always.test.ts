import { expect, test } from "vitest";
import type { JsonObject } from "../../src/core/agent-event.ts";
import { alwaysOffer } from "../../src/core/always.ts";
import { anAsk } from "./an-ask.ts";

function aRule(toolName: string, ruleContent?: string, destination = "localSettings"): JsonObject {
  const rule: JsonObject = ruleContent === undefined ? { toolName } : { toolName, ruleContent };
  return { type: "addRules", rules: [rule], behavior: "allow", destination };
}
const acceptEdits: JsonObject = { type: "setMode", mode: "acceptEdits", destination: "session" };
const addDirectory: JsonObject = { type: "addDirectories", directories: ["/etc"], destination: "session" };

test("a rule is written in Claude's own notation", () => {
  const offer = alwaysOffer(anAsk({ suggestions: [aRule("Bash", "npm test *")] }));
  expect(offer?.rules).toEqual(["Bash(npm test *)"]);
});

test("a rule for a whole tool is the tool alone", () => {
  const offer = alwaysOffer(anAsk({ suggestions: [aRule("mcp__files__send")] }));
  expect(offer?.rules).toEqual(["mcp__files__send"]);
});

test("several rules are offered together", () => {
  const suggestions = [aRule("Bash", "git add *"), aRule("Bash", "git commit *")];
  expect(alwaysOffer(anAsk({ suggestions }))?.rules).toEqual(["Bash(git add *)", "Bash(git commit *)"]);
});

test("modes and directories are left out, for they open more than the rules that are named", () => {
  const offer = alwaysOffer(
    anAsk({ suggestions: [acceptEdits, aRule("Bash", "touch a.txt"), addDirectory] }),
  );
  expect(offer).toEqual({
    rules: ["Bash(touch a.txt)"],
    reach: "project",
    updates: [aRule("Bash", "touch a.txt", "session")],
  });
});

test("where only a mode or a directory is suggested, nothing is offered", () => {
  expect(alwaysOffer(anAsk({ suggestions: [acceptEdits, addDirectory] }))).toBeUndefined();
});

test("a rule for this session is never widened, not even by one beside it that reaches further", () => {
  const forSession = aRule("Read", "//etc/**", "session");
  expect(alwaysOffer(anAsk({ suggestions: [forSession] }))).toEqual({
    rules: ["Read(//etc/**)"],
    reach: "session",
    updates: [forSession],
  });
  const mixed = alwaysOffer(anAsk({ suggestions: [aRule("Bash", "ls"), forSession] }));
  expect(mixed?.reach).toBe("session");
});

test.each(["localSettings", "projectSettings", "userSettings"])(
  "nothing is written to %s: Claude is handed the rule for its session alone",
  (destination) => {
    const ask = anAsk({ suggestions: [aRule("Bash", "npm test *", destination)] });
    expect(alwaysOffer(ask)?.updates).toEqual([aRule("Bash", "npm test *", "session")]);
    expect(ask.suggestions).toEqual([aRule("Bash", "npm test *", destination)]);
  },
);

test("nothing is offered where Claude says not to, or where a person must be asked each time", () => {
  const suggestions = [aRule("Bash", "npm test *")];
  expect(alwaysOffer(anAsk({ suggestions, noAlways: true }))).toBeUndefined();
  expect(alwaysOffer(anAsk({ suggestions, needsPerson: true }))).toBeUndefined();
  expect(alwaysOffer(anAsk())).toBeUndefined();
});

test("a rule that denies or asks is not an offer to allow", () => {
  const suggestions = ["deny", "ask"].map((behavior) => ({ ...aRule("Bash", "rm *"), behavior }));
  expect(alwaysOffer(anAsk({ suggestions }))).toBeUndefined();
});

test.each<[string, JsonObject]>([
  ["no rules", { type: "addRules", behavior: "allow" }],
  ["rules that are no list", { type: "addRules", behavior: "allow", rules: "Bash" }],
  ["rules that are no objects", { type: "addRules", behavior: "allow", rules: ["Bash", null] }],
  ["an empty list of rules", { type: "addRules", behavior: "allow", rules: [] }],
])("a suggestion with %s offers nothing", (_what, suggestion) => {
  expect(alwaysOffer(anAsk({ suggestions: [suggestion] }))).toBeUndefined();
});
