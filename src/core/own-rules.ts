import type { Ask } from "./agent-event.ts";
import { matchesGlob } from "./glob.ts";

export type RuleDecision = "allow" | "deny" | "ask";

/** A rule of the owner's, from the configuration. */
export type OwnRule = {
  /** Where it stands and what it is about, for the audit: `approvals.rules[0]: Edit src/**`. */
  name: string;
  /** A tool's exact name, `*` for every tool, or a beginning with a star behind it, as `mcp__github__*`. */
  tool: string;
  /** Globs, relative to the project or absolute. */
  paths?: readonly string[];
  /** Hosts of a WebFetch: `example.com`, `*.example.com` for all below it, or `*`. */
  hosts?: readonly string[];
  decision: RuleDecision;
  /** Told to Claude when the rule denies. */
  reason?: string;
};

/** A path that a request names: absolute, as it is written and as it is once every link in it is followed. */
export type NamedPath = { written: string; real: string };

/** What rules look at besides the ask. */
export type RuleFacts = {
  /** The project's folder, links followed. */
  project: string;
  paths: readonly NamedPath[];
  /** The request reaches out of the project. */
  leadsOut: boolean;
};

/** Tools whose input names its files in fields that we know, all of them; for others a path may hide in any field. */
export const pathTools: ReadonlySet<string> = new Set([
  "Read",
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookRead",
  "NotebookEdit",
  "LS",
  "Glob",
  "Grep",
]);

/** The rule that speaks about a request: the last one that fits. */
export function ruleFor(ask: Ask, rules: readonly OwnRule[], facts: RuleFacts): OwnRule | undefined {
  return rules.findLast((rule) => toolFits(rule.tool, ask.tool) && subjectFits(rule, ask, facts));
}

function toolFits(wanted: string, tool: string): boolean {
  return wanted.endsWith("*") ? tool.startsWith(wanted.slice(0, -1)) : tool === wanted;
}

function subjectFits(rule: OwnRule, ask: Ask, facts: RuleFacts): boolean {
  if (rule.paths !== undefined) return pathTools.has(ask.tool) && pathsFit(rule, rule.paths, facts);
  // To allow a tool is to allow it in the project: what leads out must be named by a path of the rule's own.
  if (rule.decision === "allow" && facts.leadsOut) return false;
  return rule.hosts === undefined || hostFits(rule.hosts, ask.input["url"]);
}

/**
 * To allow, every path must fit, and where it really leads counts. To deny or to ask, one that fits in either
 * spelling is enough: a link is no way round a rule.
 */
function pathsFit(rule: OwnRule, globs: readonly string[], { paths, project, leadsOut }: RuleFacts): boolean {
  const fitsAny = (given: readonly string[], path: string): boolean =>
    given.some((glob) => matchesGlob(glob, glob.startsWith("/") ? path : fromProject(path, project)));
  if (rule.decision !== "allow")
    return paths.some(({ written, real }) => fitsAny(globs, written) || fitsAny(globs, real));
  const usable = leadsOut ? globs.filter((glob) => glob.startsWith("/")) : globs;
  return paths.length > 0 && paths.every(({ real }) => fitsAny(usable, real));
}

/** A path below the project as seen from there; any other stays absolute, and so fits no relative glob. */
function fromProject(path: string, project: string): string {
  if (path === project) return ".";
  const folder = project.endsWith("/") ? project : `${project}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

/** The host alone is compared: what else stands in a URL, as a user name or a query, is the model's to choose. */
function hostFits(hosts: readonly string[], url: unknown): boolean {
  const host = typeof url === "string" ? hostOf(url) : undefined;
  if (host === undefined) return false;
  return hosts.some(
    (wanted) =>
      wanted === "*" || (wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted),
  );
}

function hostOf(url: string): string | undefined {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? hostname.replace(/\.$/, "") : undefined;
  } catch {
    return undefined;
  }
}
