import { expect, test } from "vitest";
import type { Config } from "../../src/app/config.ts";
import { secretsOf } from "../../src/app/secrets.ts";

const rules = { own: [], handed: { allow: [], deny: [], ask: [] } };
const project = { name: "web", path: "/web", trust: false, rules };
const config: Config = {
  file: "/signoff.toml",
  stateDir: "/state",
  defaultProject: project,
  projects: new Map([["web", project]]),
  telegram: {
    token: "42:second-half",
    apiRoot: "https://api.telegram.org",
    allowedUsers: [1],
    approvers: new Map(),
  },
  claude: {
    command: ["claude"],
    permissionMode: "default",
    allowedTools: [],
    dangerouslySkipPermissions: false,
    useApiBilling: false,
    idleMinutes: 15,
    env: { MY_PASSWORD: "open-sesame", LANG: "en_GB.UTF-8" },
  },
  approvals: { autoApprove: [], rules },
  warnings: [],
};

test("secrets are the token, its second half, and what variables with a telling name hold", () => {
  const env = {
    ANTHROPIC_API_KEY: "sk-something",
    GITHUB_TOKEN: "ghp_something",
    HOME: "/home/someone",
    SSH_AUTH_SOCK: "/run/agent.sock",
    USE_TOKEN: "1",
    UNSET_KEY: undefined,
  };
  expect(secretsOf(config, env)).toEqual([
    "42:second-half",
    "second-half",
    "sk-something",
    "ghp_something",
    "open-sesame",
  ]);
});
