import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { describeError, errorCode } from "../core/describe-error.ts";
import { checkApiRoot } from "./config-api-root.ts";
import {
  type Approvals,
  type Approvers,
  approvalWarnings,
  readApprovals,
  readApprovers,
} from "./config-approvals.ts";
import { ConfigError } from "./config-error.ts";
import { type ConfigSources, pathsIn, readConfigFile, xdgFolder } from "./config-file.ts";
import { describeIssues } from "./config-problems.ts";
import { type RuleSet, readRules } from "./config-rules.ts";
import { type ConfigTable, configTable, stateDirTable } from "./config-schema.ts";
import { findToken } from "./config-token.ts";

/** A folder that Claude may work in. */
export type Project = { name: string; path: string; trust: boolean; rules: RuleSet };

/** The whole configuration: checked, with defaults filled in and every path absolute. */
export type Config = {
  file: string;
  stateDir: string;
  defaultProject: Project;
  projects: ReadonlyMap<string, Project>;
  telegram: {
    token: string;
    /** Kept so that Claude can be denied the file. */
    tokenFile?: string;
    apiRoot: string;
    allowedUsers: readonly number[];
    approvers: Approvers;
  };
  claude: {
    command: readonly [string, ...string[]];
    model?: string;
    permissionMode: ConfigTable["claude"]["permission_mode"];
    allowedTools: readonly string[];
    dangerouslySkipPermissions: boolean;
    useApiBilling: boolean;
    idleMinutes: number;
    env: Readonly<Record<string, string>>;
  };
  approvals: Approvals;
  /** What works, but the owner should know; one sentence each. */
  warnings: readonly string[];
};

/** Finds, reads and checks the configuration; throws a ConfigError that lists every problem found. */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const file = await readConfigFile(sources);
  const parsed = configTable.safeParse(file.table);
  if (!parsed.success) throw problemsIn(file.path, describeIssues(parsed.error.issues));
  const table = parsed.data;
  const expand = pathsIn(file, sources.homedir);

  const tokenFile = table.telegram.token_file === undefined ? undefined : expand(table.telegram.token_file);
  const token = await findToken({ env: sources.env, token: table.telegram.token, tokenFile });
  const apiRoot = checkApiRoot(table.telegram.api_root);
  const projects = await findProjects(table.projects, expand);
  const defaultProject = chooseDefault(table.default_project, projects.found);
  const approvals = await readApprovals(table.approvals, expand, sources.env.PATH ?? "");
  const approvers = readApprovers(table.telegram);

  const problems = [token, apiRoot, defaultProject].flatMap((part) =>
    "problem" in part ? [part.problem] : [],
  );
  if ("token" in token) problems.push(...tokenInEnv(table.claude.env, token.token));
  problems.push(...projects.problems, ...approvals.problems, ...approvers.problems);
  if (!("token" in token) || !("url" in apiRoot) || !("name" in defaultProject) || problems.length > 0)
    throw problemsIn(file.path, problems);

  const stateDir = stateDirFrom(table.state_dir, sources, expand);
  const own = [file.path, stateDir, ...(tokenFile === undefined ? [] : [tokenFile])];
  const warnings = [
    ...token.warnings,
    ...apiRoot.warnings,
    ...permissionWarnings(table),
    ...nearnessWarnings(own, [...projects.found.values()]),
  ];
  if (file.readableByOthers && table.telegram.token !== undefined)
    warnings.unshift(
      `${file.path} holds the bot's token and can be read by other users of this machine. Run chmod 600 on it.`,
    );
  return {
    file: file.path,
    stateDir,
    defaultProject,
    projects: projects.found,
    telegram: {
      token: token.token,
      ...(tokenFile === undefined ? {} : { tokenFile }),
      apiRoot: apiRoot.url,
      allowedUsers: [...new Set(table.telegram.allowed_users)],
      approvers: approvers.approvers,
    },
    claude: claudeSettings(table.claude, expand),
    approvals: approvals.approvals,
    warnings,
  };
}

/** Only the state folder: `signoff stop` must work without the token and with projects that are gone. */
export async function loadStateDir(sources: ConfigSources): Promise<string> {
  const file = await readConfigFile(sources);
  const parsed = stateDirTable.safeParse(file.table);
  if (!parsed.success) throw problemsIn(file.path, describeIssues(parsed.error.issues));
  const expand = pathsIn(file, sources.homedir);
  return stateDirFrom(parsed.data.state_dir, sources, expand);
}

function problemsIn(file: string, problems: readonly string[]): ConfigError {
  return new ConfigError(problems.map((problem) => `${file}: ${problem}`));
}

function stateDirFrom(
  stateDir: string | undefined,
  { env, homedir }: ConfigSources,
  expand: (path: string) => string,
): string {
  if (stateDir !== undefined) return expand(stateDir);
  return join(xdgFolder(env.XDG_STATE_HOME, join(homedir, ".local", "state")), "signoff");
}

function claudeSettings(claude: ConfigTable["claude"], expand: (path: string) => string): Config["claude"] {
  const [program, ...args] = typeof claude.command === "string" ? [claude.command] : claude.command;
  return {
    // A bare name is looked up on the PATH; a path must not depend on the folder that Claude is started in.
    command: [program.includes("/") ? expand(program) : program, ...args],
    ...(claude.model === undefined ? {} : { model: claude.model }),
    permissionMode: claude.permission_mode,
    allowedTools: claude.allowed_tools,
    dangerouslySkipPermissions: claude.dangerously_skip_permissions,
    useApiBilling: claude.use_api_billing,
    idleMinutes: claude.idle_minutes,
    env: claude.env,
  };
}

async function findProjects(
  tables: ConfigTable["projects"],
  expand: (path: string) => string,
): Promise<{ found: Map<string, Project>; problems: string[] }> {
  const found = new Map<string, Project>();
  const problems: string[] = [];
  for (const [name, { path, trust, rules: written }] of Object.entries(tables)) {
    const folder = expand(path);
    const rules = readRules(written, `projects.${name}.rules`, expand);
    const key = `projects.${name}.path "${folder}"`;
    try {
      const real = await realpath(folder);
      if (!(await stat(real)).isDirectory())
        problems.push(`${key} is not a folder. Name the folder it is in.`);
      found.set(name, { name, path: real, trust, rules });
    } catch (cause) {
      // Still a project, so that default_project is not called unknown as well.
      found.set(name, { name, path: folder, trust, rules });
      problems.push(
        errorCode(cause) === "ENOENT"
          ? `${key} is not there. Create the folder, or correct the path.`
          : `${key} cannot be opened (${describeError(cause)}). Name a folder that the bot's user can open.`,
      );
    }
  }
  return { found, problems };
}

function chooseDefault(
  wanted: string | undefined,
  projects: ReadonlyMap<string, Project>,
): Project | { problem: string } {
  const names = [...projects.keys()];
  const project = projects.get(wanted ?? names[0] ?? "");
  if (project) return project;
  return {
    problem: `default_project "${wanted}" is not among the projects. Choose one of: ${names.join(", ")}.`,
  };
}

function tokenInEnv(env: Readonly<Record<string, string>>, token: string): string[] {
  return Object.entries(env)
    .filter(([, value]) => value.includes(token))
    .map(([name]) => `claude.env.${name} holds the bot's token, which Claude must never see. Remove it.`);
}

/** Claude is denied our files by name, but a search over the whole project would still read them. */
function nearnessWarnings(own: readonly string[], projects: readonly Project[]): string[] {
  return own.flatMap((path) =>
    projects
      .filter((project) => path.startsWith(`${project.path}/`))
      .map(
        ({ name }) =>
          `${path} lies inside the project ${name}, where a search by Claude can read it. Move it out.`,
      ),
  );
}

function permissionWarnings(table: ConfigTable): string[] {
  const warnings = approvalWarnings(table);
  if (table.claude.dangerously_skip_permissions)
    warnings.push("claude.dangerously_skip_permissions lets Claude do everything without asking you.");
  return warnings;
}
