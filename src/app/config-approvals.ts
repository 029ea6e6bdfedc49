import { type RuleSet, readRules, ruleWarnings } from "./config-rules.ts";
import type { ConfigTable } from "./config-schema.ts";
import { findProgram } from "./find-program.ts";

/** What is answered without a person, and what becomes of what nobody answers. */
export type Approvals = {
  autoApprove: readonly string[];
  /** They count in every project, before the project's own. */
  rules: RuleSet;
  /** The owner's program, which is asked before a person is. */
  program?: { command: readonly [string, ...string[]]; seconds: number };
  remindMinutes?: number;
  expireMinutes?: number;
};

/** Who may answer in a group, by its chat id; where a group is not named, everybody who may use the bot. */
export type Approvers = ReadonlyMap<number, readonly number[]>;

/** Reads `[approvals]`; whatever is wrong with it is a sentence among the problems. */
export async function readApprovals(
  table: ConfigTable["approvals"],
  expand: (path: string) => string,
  searchPath: string,
): Promise<{ approvals: Approvals; problems: string[] }> {
  const problems: string[] = [];
  const { remind_minutes: remind, expire_minutes: expire, command } = table;
  if (remind !== undefined && expire !== undefined && remind >= expire)
    problems.push(
      `approvals.remind_minutes (${remind}) must be less than approvals.expire_minutes (${expire}), or nobody would be reminded in time.`,
    );
  const approvals: Approvals = {
    autoApprove: table.auto_approve,
    rules: readRules(table.rules, "approvals.rules", expand),
    ...(remind === undefined ? {} : { remindMinutes: remind }),
    ...(expire === undefined ? {} : { expireMinutes: expire }),
  };
  if (command === undefined) return { approvals, problems };
  const [name, ...args] = command;
  const program = await findProgram(name.includes("/") ? expand(name) : name, searchPath);
  if (program === undefined) {
    problems.push(
      name.includes("/")
        ? `approvals.command "${name}" is not a program that can be run. Correct the path, or run chmod +x on it.`
        : `approvals.command "${name}" was not found on the PATH. Give its full path.`,
    );
    return { approvals, problems };
  }
  approvals.program = { command: [program, ...args], seconds: table.command_seconds };
  return { approvals, problems };
}

/** Reads `[[telegram.approvers]]`. */
export function readApprovers({ approvers, allowed_users: allowed }: ConfigTable["telegram"]): {
  approvers: Approvers;
  problems: string[];
} {
  const found = new Map<number, readonly number[]>();
  const problems = approvers.flatMap(({ chat, users }, index) => {
    const key = `telegram.approvers[${index}]`;
    const twice = found.has(chat)
      ? [`${key}.chat (${chat}) is named twice. Write all its users in one table.`]
      : [];
    found.set(chat, [...new Set(users)]);
    const strangers = users.flatMap((user, position) =>
      allowed.includes(user)
        ? []
        : [
            `${key}.users[${position}] (${user}) is not in telegram.allowed_users, so nobody would listen to them. Add the id there, or remove it here.`,
          ],
    );
    return [...twice, ...strangers];
  });
  return { approvers: found, problems };
}

/** Tools that write, run something, or reach a URL the model chose; to allow them unasked is the owner's right. */
const actingTools = ["Bash", "Edit", "Write", "MultiEdit", "NotebookEdit", "WebFetch", "KillShell"];

/** What the owner allowed so widely that a mistake is likely. */
export function approvalWarnings({ approvals, projects }: ConfigTable): string[] {
  return [
    ...approvals.auto_approve
      .filter((tool) => actingTools.includes(tool))
      .map((tool) => `approvals.auto_approve lets Claude use ${tool} without asking you.`),
    ...ruleWarnings(approvals.rules, "approvals.rules", actingTools),
    ...Object.entries(projects).flatMap(([name, { rules }]) =>
      ruleWarnings(rules, `projects.${name}.rules`, actingTools),
    ),
  ];
}
