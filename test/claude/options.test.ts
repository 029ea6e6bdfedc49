import { expect, test } from "vitest";
import { type ClaudeSettings, claudeArgv, claudeEnv, type Start } from "../../src/claude/options.ts";

const settings: ClaudeSettings = {
  command: ["claude"],
  allowedTools: [],
  dangerouslySkipPermissions: false,
  useApiBilling: false,
  env: {},
};
const start: Start = {
  session: { kind: "new", id: "id-1" },
  mode: "default",
  trusted: true,
  ownPaths: [],
  rules: { allow: [], deny: [], ask: [] },
};

test("the plainest start says how to talk, the mode and the session", () => {
  expect(claudeArgv(settings, start).join(" ")).toBe(
    "claude --output-format stream-json --input-format stream-json --verbose --permission-prompt-tool stdio " +
      "--permission-mode default --replay-user-messages --session-id id-1",
  );
});

test("every setting has its place behind the command's own arguments", () => {
  const all: ClaudeSettings = {
    ...settings,
    command: ["nice", "claude"],
    model: "sonnet",
    allowedTools: ["Read", "Bash(git log:*)"],
    dangerouslySkipPermissions: true,
  };
  const resumed: Start = { ...start, session: { kind: "resume", id: "id-2" }, mode: "plan", trusted: false };
  expect(claudeArgv(all, resumed).join("|")).toBe(
    "nice|claude|--output-format|stream-json|--input-format|stream-json|--verbose|--permission-prompt-tool|stdio|" +
      "--permission-mode|plan|--replay-user-messages|--resume|id-2|--model|sonnet|" +
      "--allowedTools|Read|Bash(git log:*)|--dangerously-skip-permissions|--setting-sources|user|--strict-mcp-config",
  );
});

test("what the owner allowed in the project goes along with every start", () => {
  const argv = claudeArgv(settings, { ...start, rules: { ...start.rules, allow: ["Bash(npm test *)"] } });
  expect(argv.slice(-2)).toEqual(["--settings", '{"permissions":{"allow":["Bash(npm test *)"]}}']);
});

test("what the owner denied or wants to be asked about goes along too, beside our own denials", () => {
  const rules = { allow: [], deny: ["Bash(git push *)"], ask: ["Bash(npm *)"] };
  const argv = claudeArgv(settings, { ...start, ownPaths: ["/own"], rules });
  expect(JSON.parse(argv.at(-1) ?? "")).toEqual({
    permissions: {
      deny: ["Read(//own)", "Edit(//own)", "Read(//own/**)", "Edit(//own/**)", "Bash(git push *)"],
      ask: ["Bash(npm *)"],
    },
  });
});

test("our own files and folders are closed to every session, brackets in their names included", () => {
  const argv = claudeArgv(settings, { ...start, ownPaths: ["/home/me/a[1]/"] });
  expect(JSON.parse(argv[argv.indexOf("--settings") + 1] ?? "")).toEqual({
    permissions: {
      deny: [
        "Read(//home/me/a\\[1\\])",
        "Edit(//home/me/a\\[1\\])",
        "Read(//home/me/a\\[1\\]/**)",
        "Edit(//home/me/a\\[1\\]/**)",
      ],
    },
  });
});

test("the child gets what it needs, and nothing else of our environment", () => {
  const needed = {
    PATH: "/bin",
    HOME: "/home/me",
    LC_ALL: "C",
    XDG_CONFIG_HOME: "/c",
    HTTPS_PROXY: "p",
    no_proxy: "q",
    SSL_CERT_FILE: "f",
    SSH_AUTH_SOCK: "s",
    CLAUDE_CONFIG_DIR: "/d",
    CLAUDE_CODE_OAUTH_TOKEN: "t",
    ANTHROPIC_BASE_URL: "http://127.0.0.1",
  };
  const kept = {
    TELEGRAM_BOT_TOKEN: "secret",
    SIGNOFF_CONFIG: "x",
    SIGNOFF_SESSION: "x",
    DATABASE_URL: "x",
    PATHOLOGY: "x",
    CLAUDECODE: "1",
    CLAUDE_CODE_ENTRYPOINT: "cli",
    CLAUDE_CODE_SSE_PORT: "1",
    CLAUDE_CODE_SESSION_ID: "x",
    CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR: "3",
    ANTHROPIC_API_KEY: "x",
    ANTHROPIC_AUTH_TOKEN: "x",
    AWS_SECRET_ACCESS_KEY: "x",
    GOOGLE_APPLICATION_CREDENTIALS: "x",
    UNSET: undefined,
  };
  expect(claudeEnv({ ...needed, ...kept }, settings)).toEqual(needed);
});

test("with API billing on, the key comes through", () => {
  const parent = { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" };
  expect(claudeEnv(parent, { ...settings, useApiBilling: true })).toEqual(parent);
});

test("[claude.env] wins over the inherited environment and over billing", () => {
  const env = { ANTHROPIC_API_KEY: "mine", PATH: "/mine", DATABASE_URL: "mine" };
  expect(claudeEnv({ ANTHROPIC_API_KEY: "theirs", PATH: "/bin" }, { ...settings, env })).toEqual(env);
});

test("a cloud's credentials come through only when that cloud is switched on", () => {
  const parent = {
    AWS_REGION: "r",
    GOOGLE_CLOUD_PROJECT: "g",
    CLOUD_ML_REGION: "c",
    CLAUDE_CODE_USE_VERTEX: "0",
  };
  expect(claudeEnv(parent, { ...settings, env: { CLAUDE_CODE_USE_BEDROCK: "1" } })).toEqual({
    AWS_REGION: "r",
    CLAUDE_CODE_USE_BEDROCK: "1",
    CLAUDE_CODE_USE_VERTEX: "0",
  });
  expect(claudeEnv({ ...parent, CLAUDE_CODE_USE_VERTEX: "true" }, settings)).toEqual({
    GOOGLE_CLOUD_PROJECT: "g",
    CLOUD_ML_REGION: "c",
    CLAUDE_CODE_USE_VERTEX: "true",
  });
});
