import type { PermissionMode } from "../core/agent-event.ts";

/** What the config says about Claude. `env` is `[claude.env]`. */
export type ClaudeSettings = {
  command: readonly [string, ...string[]];
  model?: string;
  allowedTools: readonly string[];
  dangerouslySkipPermissions: boolean;
  useApiBilling: boolean;
  env: Readonly<Record<string, string>>;
};

/** How one process starts. `session` is Claude's own id for the conversation. */
export type Start = {
  session: { kind: "new" | "resume"; id: string };
  mode: PermissionMode;
  /** Whether the folder's own hooks, MCP servers and rules may run. */
  trusted: boolean;
  /** Our own files and folders, as absolute paths: no session may read or change them. */
  ownPaths: readonly string[];
  /** What the owner decided for this project beforehand. */
  rules: PermissionRules;
};

/** Rules in Claude's own notation, as `Bash(npm test *)`. Claude looks at `deny` first, then at `ask`, then at `allow`. */
export type PermissionRules = {
  allow: readonly string[];
  deny: readonly string[];
  ask: readonly string[];
};

/** The command line of one process, program first. */
export function claudeArgv(settings: ClaudeSettings, start: Start): string[] {
  const { session } = start;
  const argv: string[] = [...settings.command];
  argv.push("--output-format", "stream-json", "--input-format", "stream-json", "--verbose");
  argv.push("--permission-prompt-tool", "stdio");
  // Always said, because the CLI's own default differs from version to version.
  argv.push("--permission-mode", start.mode);
  // The echo of a prompt is how we know that it was taken.
  argv.push("--replay-user-messages");
  argv.push(session.kind === "new" ? "--session-id" : "--resume", session.id);
  if (settings.model !== undefined) argv.push("--model", settings.model);
  if (settings.allowedTools.length > 0) argv.push("--allowedTools", ...settings.allowedTools);
  if (settings.dangerouslySkipPermissions) argv.push("--dangerously-skip-permissions");
  if (!start.trusted) argv.push("--setting-sources", "user", "--strict-mcp-config");
  const permissions = permissionSettings(start);
  if (permissions !== undefined) argv.push("--settings", JSON.stringify({ permissions }));
  return argv;
}

/** The environment of one process: what Claude and its tools need of ours, and `[claude.env]`, which wins. */
export function claudeEnv(
  parent: Readonly<Record<string, string | undefined>>,
  settings: Pick<ClaudeSettings, "env" | "useApiBilling">,
): Record<string, string> {
  const merged = { ...parent, ...settings.env };
  const clouds = CLOUDS.filter(({ switches }) => switches.some((name) => isOn(merged[name]))).map(
    ({ needs }) => needs,
  );
  const inherited = Object.entries(parent).flatMap(([name, value]): [string, string][] => {
    const wanted = ALLOWED.test(name) || clouds.some((needs) => needs.test(name));
    const refused = INSIDE_ANOTHER.test(name) || (!settings.useApiBilling && BILLED.has(name));
    return value !== undefined && wanted && !refused ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(inherited), ...settings.env };
}

// An allow-list: the bot's token and whatever else its environment holds must never reach a tool that Claude runs.
const ALLOWED = new RegExp(
  `^(?:${[
    "PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_.*|TZ|TERM|COLORTERM|TMPDIR|XDG_.*",
    "(?:HTTP|HTTPS|ALL|NO)_PROXY|(?:http|https|all|no)_proxy",
    "SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|SSH_AUTH_SOCK",
    "CLAUDE_.*|ANTHROPIC_.*",
    "DISABLE_TELEMETRY|DISABLE_AUTOUPDATER|DISABLE_ERROR_REPORTING|DO_NOT_TRACK",
    "BASH_DEFAULT_TIMEOUT_MS|BASH_MAX_TIMEOUT_MS|BASH_MAX_OUTPUT_LENGTH",
    "MAX_THINKING_TOKENS|MAX_MCP_OUTPUT_TOKENS|MCP_TIMEOUT|MCP_TOOL_TIMEOUT",
  ].join("|")})$`,
);

// Set by a Claude for what it runs; a Claude that reads them takes itself for a part of that other one.
const INSIDE_ANOTHER = new RegExp(
  `^CLAUDE_(?:${[
    "AGENT_SDK_VERSION|ENV_FILE|PLUGIN_ROOT|PROJECT_DIR|BG_.*|BRIDGE_.*",
    "CODE_(?:CHILD_SESSION|ENTRYPOINT|EXECPATH|SSE_PORT|SESSION_.*|REMOTE|REMOTE_.*)",
    // The number of an open file of that other process means nothing here.
    ".*_FILE_DESCRIPTOR",
  ].join("|")})$`,
);

// Either of them takes precedence over the user's login, and then somebody is billed by use.
const BILLED = new Set(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]);

const CLOUDS = [
  { switches: ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_ANTHROPIC_AWS"], needs: /^AWS_/ },
  {
    switches: ["CLAUDE_CODE_USE_VERTEX"],
    needs: /^(?:GOOGLE_.*|CLOUDSDK_.*|VERTEX_REGION_.*|CLOUD_ML_REGION|GCLOUD_PROJECT)$/,
  },
  { switches: ["CLAUDE_CODE_USE_FOUNDRY"], needs: /^AZURE_/ },
];

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no", "off"].includes(value.trim().toLowerCase());
}

function permissionSettings({ rules, ownPaths }: Start): Partial<PermissionRules> | undefined {
  const all = { allow: rules.allow, deny: [...denyRules(ownPaths), ...rules.deny], ask: rules.ask };
  const given = Object.entries(all).filter(([, list]) => list.length > 0);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

// In Claude's notation a path from the root of the disk begins with two slashes. Each path is named as a file and as
// a folder: the config may lie in the project itself, so only the file may be closed then, never the folder it is in.
// Unescaped brackets would be a set of characters, and close nothing. Stars and question marks are left as they are: they
// close a little more. A path with a backslash cannot be closed in this notation at all.
function denyRules(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const root = `/${path.replace(/\/+$/, "").replaceAll(/[[\]]/g, "\\$&")}`;
    return [`Read(${root})`, `Edit(${root})`, `Read(${root}/**)`, `Edit(${root}/**)`];
  });
}
