import type { Ask, JsonObject } from "./agent-event.ts";
import { isJsonObject, jsonList } from "./json.ts";

/** How far a rule reaches. */
export type RuleReach = "session" | "project";

/** What "Always allow" would add: the rules in Claude's own notation, how far they reach, and what Claude is handed. */
export type AlwaysOffer = { rules: string[]; reach: RuleReach; updates: JsonObject[] };

/**
 * The rules that "Always allow" would add, as Claude suggested them; undefined when nothing may be offered. Claude
 * honours rules in a folder's own settings only after its own trust dialog, so they are handed to the running session,
 * and a rule meant for the project is kept by us and given to every later process of that project.
 */
export function alwaysOffer(ask: Ask): AlwaysOffer | undefined {
  if (ask.noAlways || ask.needsPerson) return undefined;
  // Modes and directories would open far more than the rule that is named on the button, so they are left out.
  const suggested = ask.suggestions.filter(
    (one) => one["type"] === "addRules" && one["behavior"] === "allow",
  );
  const rules = suggested.flatMap((one) => jsonList(one["rules"]).filter(isJsonObject).map(ruleLabel));
  if (rules.length === 0) return undefined;
  const isForSession = suggested.some((one) => one["destination"] === "session");
  return {
    rules,
    reach: isForSession ? "session" : "project",
    updates: suggested.map((one) => ({ ...one, destination: "session" })),
  };
}

/** A rule in Claude's own notation: `Bash(npm test *)`. */
function ruleLabel(rule: JsonObject): string {
  const { toolName, ruleContent } = rule;
  const tool = typeof toolName === "string" ? toolName : "?";
  return typeof ruleContent === "string" ? `${tool}(${ruleContent})` : tool;
}
