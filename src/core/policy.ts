import type { Ask } from "./agent-event.ts";
import { denial } from "./denial.ts";
import { type NamedPath, type OwnRule, ruleFor } from "./own-rules.ts";

/** What the policy knows besides the ask itself. */
export type PolicyFacts = {
  autoApprove: ReadonlySet<string>;
  /** The owner's rules, the global ones first; the last one that fits decides. */
  rules: readonly OwnRule[];
  /** The project's folder, links followed. */
  project: string;
  /** Every path in the input. */
  paths: readonly NamedPath[];
  /** Where the paths in the input really lead: all inside the project, some outside, or into Signoff's own folders. */
  reach: Reach;
};
export type Reach = "inside" | "outside" | "own";

export type Verdict =
  /** `because`: it needs a person by its nature, a rule says so, or no rule says anything. */
  | { kind: "ask"; because: "person" | "rule" | "no rule" }
  | { kind: "allow"; rule: string }
  | { kind: "deny"; rule: string; message: string };

/** Tools that exist to reach a person; older CLIs do not flag them, so they go by name as well. */
const PERSONAL_TOOLS: ReadonlySet<string> = new Set(["ExitPlanMode", "AskUserQuestion"]);

/** Decides who answers a request: a person by its nature, our own walls, the owner's rules, the safe set, else a person. */
export function judge(ask: Ask, facts: PolicyFacts): Verdict {
  if (ask.needsPerson || ask.matchedAskRule || PERSONAL_TOOLS.has(ask.tool))
    return { kind: "ask", because: "person" };
  if (facts.reach === "own") {
    return {
      kind: "deny",
      rule: "own folders",
      message: denial(
        "Signoff's own configuration and state are closed to every session. Work without them.",
      ),
    };
  }
  // Inside the project Claude never asks for a read. When it does ask, the path leads out, and the safe set ends there.
  const leadsOut =
    facts.reach === "outside" || ask.reasonType === "workingDir" || ask.blockedPath !== undefined;
  const rule = ruleFor(ask, facts.rules, { ...facts, leadsOut });
  if (rule !== undefined) return byRule(rule);
  if (!leadsOut && facts.autoApprove.has(ask.tool))
    return { kind: "allow", rule: `auto_approve: ${ask.tool}` };
  return { kind: "ask", because: "no rule" };
}

function byRule({ name, decision, reason }: OwnRule): Verdict {
  switch (decision) {
    case "allow":
      return { kind: "allow", rule: name };
    case "deny":
      return { kind: "deny", rule: name, message: denial(reason ?? FORBIDDEN) };
    case "ask":
      return { kind: "ask", because: "rule" };
  }
}

const FORBIDDEN = "A rule of theirs forbids it. Do not try it in another way; go on without it, or ask them.";
