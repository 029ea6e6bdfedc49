import type { JsonObject } from "./agent-event.ts";
import { commandDangers } from "./command-danger.ts";
import { pathDanger } from "./path-danger.ts";
import type { Reach } from "./policy.ts";
import type { Danger } from "./view.ts";

/** What is known besides the input: where its paths lead, and the folder that is the project. */
export type DangerFacts = { reach: Reach; project: string };

/**
 * What in a tool use deserves a second look, one entry a reason. It is advice for the eye: it decides nothing, it knows
 * some words and no shell, and an input without a mark is not thereby harmless.
 */
export function dangersOf(tool: string, input: JsonObject, facts: DangerFacts): Danger[] {
  const { command } = input;
  if (tool === "Bash" && typeof command === "string") {
    return onePerReason(commandDangers(command, facts.project));
  }
  const [verb, field] = FILE_TOOLS.get(tool) ?? [];
  const path = field === undefined ? undefined : input[field];
  if (verb === undefined || typeof path !== "string") return [];
  const isElsewhere = facts.reach !== "inside";
  return onePerReason([
    ...(isElsewhere ? [{ why: `${verb} outside the project`, what: path }] : []),
    ...pathDanger(path, verb),
  ]);
}

const FILE_TOOLS = new Map<string, [verb: "reads" | "writes", field: string]>([
  ["Read", ["reads", "file_path"]],
  ["NotebookRead", ["reads", "notebook_path"]],
  ["Edit", ["writes", "file_path"]],
  ["MultiEdit", ["writes", "file_path"]],
  ["Write", ["writes", "file_path"]],
  ["NotebookEdit", ["writes", "notebook_path"]],
]);

function onePerReason(dangers: Iterable<Danger>): Danger[] {
  const first = new Map<string, Danger>();
  for (const danger of dangers) if (!first.has(danger.why)) first.set(danger.why, danger);
  return [...first.values()];
}
