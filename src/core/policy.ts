import type { Ask } from "./agent-event.ts";
import { denial } from "./denial.ts";

/** What the policy knows besides the ask itself. */
export type PolicyFacts = {
  autoApprove: ReadonlySet<string>;
  /** Where the paths in the input really lead: all inside the project, some outside, or into Signoff's own folders. */
  reach: Reach;
};
export type Reach = "inside" | "outside" | "own";

export type Verdict =
  | { kind: "ask" }
  | { kind: "allow"; rule: string }
  | { kind: "deny"; rule: string; message: string };

/** Tools that exist to reach a person; older CLIs do not flag them, so they go by name as well. */
const PERSONAL_TOOLS: ReadonlySet<string> = new Set(["ExitPlanMode", "AskUserQuestion"]);

/** Decides who answers a request: a person by its nature, then a denial, then the safe set, else a person. */
export function judge(ask: Ask, facts: PolicyFacts): Verdict {
  if (ask.needsPerson || ask.matchedAskRule || PERSONAL_TOOLS.has(ask.tool)) return { kind: "ask" };
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
  if (!leadsOut && facts.autoApprove.has(ask.tool))
    return { kind: "allow", rule: `auto_approve: ${ask.tool}` };
  return { kind: "ask" };
}
