import { expect, test } from "vitest";
import type { SessionId } from "../../src/core/ids.ts";
import { type Rule, ruleRows } from "../../src/store/rules.ts";
import { aSession } from "./a-session.ts";

/** A store in which a rule can be added. */
function withRules() {
  const store = aSession();
  const rules = ruleRows(store.db);
  const aRule: Rule = {
    folder: "web",
    rule: "Bash(ls)",
    reach: "project",
    by: "Ann",
    byId: 111,
    sessionId: store.session,
  };
  return { ...store, rules, add: (fields: Partial<Rule> = {}) => rules.add({ ...aRule, ...fields }, 10) };
}

test("a project has the rules that people gave it, once each, also after a restart", () => {
  const { add, restart } = withRules();
  add({ rule: "Bash(npm test *)" });
  add();
  add({ by: "Bob", byId: 222 });
  add({ folder: "shop", rule: "WebSearch" });
  const rules = ruleRows(restart().db);
  expect([...rules.ofFolder("web")]).toEqual(["Bash(ls)", "Bash(npm test *)"]);
  expect([...rules.ofFolder("none")]).toEqual([]);
});

test("a rule for one session is kept, and is no rule of the project", () => {
  const { add, rules, db } = withRules();
  add({ reach: "session" });
  expect([...rules.ofFolder("web")]).toEqual([]);
  expect(db.prepare("SELECT rule, by_name, by_id, added_at FROM rules").get()).toEqual({
    rule: "Bash(ls)",
    by_name: "Ann",
    by_id: 111,
    added_at: 10,
  });
});

test("a rule comes from a session that is there", () => {
  const { add } = withRules();
  expect(() => add({ sessionId: "nobody" as SessionId })).toThrow("FOREIGN KEY");
});
