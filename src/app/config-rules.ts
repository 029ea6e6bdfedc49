import { z } from "zod";
import type { PermissionRules } from "../claude/options.ts";
import { type OwnRule, pathTools } from "../core/own-rules.ts";
import { follow } from "./reach.ts";

const words = (error: string) => z.string({ error }).min(1, { error });

const tool = words('must be a tool\'s name in quotes, as "Edit".')
  .regex(/^(?:\*|[A-Za-z][\w-]*|mcp__[\w-]*\*)$/, {
    error: ({ input }) =>
      `(${JSON.stringify(input)}) is not the name of one tool. Write a name, "*" for every tool, or "mcp__server__*".`,
  })
  .refine((name) => name !== "ExitPlanMode" && name !== "AskUserQuestion", {
    error: ({ input }) => `(${JSON.stringify(input)}) always needs a person. Remove the rule.`,
  });

const glob = words('must be a glob in quotes, as "src/**".')
  .refine((path) => !path.split("/").includes(".."), {
    error: ({ input }) =>
      `(${JSON.stringify(input)}) climbs with "..". Write the path from the root instead.`,
  })
  .refine((path) => !/[{}]/.test(path), {
    error: ({ input }) => `(${JSON.stringify(input)}) holds a brace. Write one glob for each name.`,
  });

const host = words('must be a host in quotes, as "example.com" or "*.example.com".').refine(
  (name) => hostName(name) !== undefined,
  {
    error: ({ input }) =>
      `(${JSON.stringify(input)}) is not a host. Write "example.com", "*.example.com" for all below it, or "*", without https:// or a path.`,
  },
);

/** A rule as it is written in the file. */
export const ruleTable = z
  .strictObject(
    {
      tool,
      paths: z
        .array(glob, { error: 'must be a list of globs, as ["src/**"].' })
        .min(1, { error: "is empty. Add a glob, or remove the key." })
        .optional(),
      hosts: z
        .array(host, { error: 'must be a list of hosts, as ["*.example.com"].' })
        .min(1, { error: "is empty. Add a host, or remove the key." })
        .optional(),
      pattern: words('must be a pattern in quotes, as "npm test *".')
        .regex(/^[^\r\n]*$/, { error: "must stand on one line." })
        .optional(),
      decision: z.enum(["allow", "deny", "ask"], { error: 'must be "allow", "deny" or "ask".' }),
      reason: words("must be text in quotes.").optional(),
    },
    { error: "must be a table: write it in double brackets, as [[approvals.rules]], and its keys below." },
  )
  .superRefine((rule, context) => {
    for (const [key, message] of misfits(rule))
      context.addIssue({ code: "custom", path: [key], message, input: rule });
  });

type RuleTable = z.output<typeof ruleTable>;

/** The owner's rules: those that Signoff answers by, and those that Claude Code keeps itself. */
export type RuleSet = { own: readonly OwnRule[]; handed: PermissionRules };

/** Makes rules out of their tables; `key` is where they stand, as `approvals.rules`. */
export function readRules(
  tables: readonly RuleTable[],
  key: string,
  expand: (path: string) => string,
): RuleSet {
  const own: OwnRule[] = [];
  const handed = { allow: [] as string[], deny: [] as string[], ask: [] as string[] };
  tables.forEach((table, index) => {
    const { paths, hosts, pattern, decision, reason } = table;
    if (pattern !== undefined) {
      handed[decision].push(`${table.tool}(${pattern})`);
      return;
    }
    own.push({
      name: [`${key}[${index}]: ${table.tool}`, ...(paths ?? hosts ?? [])].join(" "),
      tool: table.tool,
      ...(paths === undefined ? {} : { paths: paths.flatMap((path) => spellings(path, expand)) }),
      ...(hosts === undefined ? {} : { hosts: hosts.map((name) => hostName(name) ?? name) }),
      decision,
      ...(reason === undefined ? {} : { reason }),
    });
  });
  return { own, handed };
}

/** What works, but the owner should know. */
export function ruleWarnings(
  tables: readonly RuleTable[],
  key: string,
  actingTools: readonly string[],
): string[] {
  return tables.flatMap((table, index) => {
    const { paths, hosts, pattern, decision } = table;
    const isWide = paths === undefined && hosts === undefined && (pattern === undefined || pattern === "*");
    if (decision === "allow" && isWide && (table.tool === "*" || actingTools.includes(table.tool))) {
      const what = table.tool === "*" ? "every tool" : table.tool;
      return [`${key}[${index}] lets Claude use ${what} without asking you.`];
    }
    if (decision !== "allow" && pattern === undefined && readingTools.has(table.tool))
      return [
        `${key}[${index}] is about ${table.tool}, for which Claude Code does not ask inside the project, so it counts outside of it only. With pattern in place of paths, Claude Code keeps the rule everywhere.`,
      ];
    return [];
  });
}

const readingTools: ReadonlySet<string> = new Set(["Read", "Grep", "Glob", "LS", "NotebookRead"]);

/** What does not fit together in one rule: the key, and the sentence behind it. */
function* misfits(rule: RuleTable): Generator<[string, string]> {
  const subjects = (["paths", "hosts", "pattern"] as const).filter((key) => rule[key] !== undefined);
  if (rule.tool === "Bash") {
    for (const key of subjects.filter((subject) => subject !== "pattern"))
      yield [
        key,
        `cannot be used with Bash: what a command reaches is not to be seen from its text. Use pattern = "npm test *".`,
      ];
    if (rule.pattern === undefined)
      yield [
        "pattern",
        'is missing. A rule for Bash needs one, as pattern = "npm test *"; Claude Code itself keeps it.',
      ];
    if (subjects.some((subject) => subject !== "pattern")) return;
  } else if (subjects.length > 1) {
    yield [subjects[1] ?? "", `cannot stand beside ${subjects[0]}. Write two rules.`];
    return;
  }
  if (rule.paths !== undefined && rule.tool !== "*" && !pathTools.has(rule.tool))
    yield ["paths", `cannot be used with ${rule.tool}. It is for ${[...pathTools].join(", ")} and "*".`];
  if (rule.hosts !== undefined && rule.tool !== "WebFetch")
    yield ["hosts", `cannot be used with ${rule.tool}. It is for WebFetch.`];
  if (rule.pattern !== undefined && rule.tool.endsWith("*"))
    yield ["pattern", `cannot be used with ${rule.tool}. Name one tool.`];
  if (rule.reason === undefined) return;
  if (rule.decision !== "deny") yield ["reason", "is for a rule that denies. Remove it."];
  else if (rule.pattern !== undefined)
    yield [
      "reason",
      "cannot be told to Claude: a rule with a pattern is kept by Claude Code, in its own words. Remove it.",
    ];
}

/** A glob that starts at the root or at home counts in both spellings where its fixed part goes through a link. */
function spellings(glob: string, expand: (path: string) => string): string[] {
  if (!/^(?:\/|~(?:\/|$))/.test(glob)) return [glob];
  const names = expand(glob).split("/");
  const wild = names.findIndex((name) => /[*?]/.test(name));
  const fixed = wild === -1 ? names : names.slice(0, wild);
  const rest = wild === -1 ? [] : names.slice(wild);
  const real = follow(fixed.join("/") || "/");
  return [...new Set([names.join("/"), [real === "/" ? "" : real, ...rest].join("/")])];
}

/** A host as URLs spell it, or nothing for what is none. */
function hostName(name: string): string | undefined {
  if (name === "*") return name;
  const star = name.startsWith("*.") ? "*." : "";
  const bare = name.slice(star.length);
  if (!/^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u.test(bare)) return undefined;
  try {
    return `${star}${new URL(`http://${bare}`).hostname}`;
  } catch {
    return undefined;
  }
}
