import { maskSecrets } from "./mask.ts";
import type { Outcome, RequestView, ToolBody } from "./view.ts";

/** A request without the secrets in it, and with the number of those that are hidden. */
export function maskRequest(view: RequestView): RequestView {
  let hidden = 0;
  /** What is said once is counted; titles, rules and warnings only repeat a part of it. */
  const counted = (text: string): string => {
    const masked = maskSecrets(text);
    hidden += masked.hidden;
    return masked.text;
  };
  const { tool, description, reason, always, dangers, outcome } = view;
  const body = tool.body.map((part): ToolBody => ({ ...part, text: counted(part.text) }));
  return {
    ...view,
    tool: { ...tool, title: plain(tool.title), body },
    ...(description === undefined ? {} : { description: counted(description) }),
    ...(reason === undefined ? {} : { reason: counted(reason) }),
    ...(always === undefined ? {} : { always: { ...always, rule: plain(always.rule) } }),
    ...(dangers === undefined
      ? {}
      : { dangers: dangers.map(({ why, what }) => ({ why, what: plain(what) })) }),
    ...(outcome === undefined ? {} : { outcome: maskOutcome(outcome) }),
    ...(hidden === 0 ? {} : { hidden }),
  };
}

function maskOutcome(outcome: Outcome): Outcome {
  if (outcome.kind !== "allowed" || outcome.always === undefined) return outcome;
  return { ...outcome, always: { ...outcome.always, rule: plain(outcome.always.rule) } };
}

function plain(text: string): string {
  return maskSecrets(text).text;
}
