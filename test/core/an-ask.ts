import type { Ask } from "../../src/core/agent-event.ts";

/** A request of Claude's to run a harmless command, with these fields changed. */
export function anAsk(fields: Partial<Ask> = {}): Ask {
  return {
    wireId: "wire-1",
    tool: "Bash",
    input: { command: "npm test" },
    suggestions: [],
    needsPerson: false,
    matchedAskRule: false,
    noAlways: false,
    defaultToNo: false,
    ...fields,
  };
}
