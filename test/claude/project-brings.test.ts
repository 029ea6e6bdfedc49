import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isTrustedByClaude, readBrought } from "../../src/claude/project-brings.ts";

type Content = Record<string, string | object>;

/** A folder on disk with these files; what is no text is written as JSON. */
async function folderWith(files: Content = {}) {
  const folder = await mkdtemp(join(tmpdir(), "signoff-brings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (changed: Content): Promise<void> => {
    for (const [name, content] of Object.entries(changed)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    }
  };
  await write(files);
  return { folder, write, read: () => readBrought(folder) };
}

const settings = ".claude/settings.json";
const local = ".claude/settings.local.json";
const aHook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });

test("an empty folder, and one that is not there, bring nothing", async () => {
  const { folder, read } = await folderWith();
  const nothing = { hooks: [], servers: [], rules: [], leftOut: [] };
  expect((await read()).brings).toEqual(nothing);
  expect((await readBrought(join(folder, "gone"))).brings).toEqual(nothing);
});

test("every hook is listed with the event that runs it, from both settings files", async () => {
  const { read } = await folderWith({
    [settings]: {
      hooks: {
        SessionStart: [
          { hooks: [{ type: "command", command: "./hello.sh" }] },
          { matcher: "x", hooks: [{ type: "http", url: "https://example.org/hook" }] },
        ],
        PreToolUse: [
          { matcher: "Bash", hooks: [{ type: "prompt", prompt: "Is it safe?" }, { type: "new" }] },
        ],
      },
    },
    [local]: aHook("./done.sh"),
  });
  expect((await read()).brings.hooks).toEqual([
    "SessionStart: ./hello.sh",
    "SessionStart: https://example.org/hook",
    "PreToolUse: Is it safe?",
    "PreToolUse: a hook",
    "Stop: ./done.sh",
  ]);
});

test("servers are listed with what they start or where they are", async () => {
  const { read } = await folderWith({
    ".mcp.json": {
      mcpServers: {
        db: { command: "npx", args: ["-y", "db-server"] },
        far: { type: "http", url: "https://example.org/mcp" },
        odd: {},
      },
    },
  });
  expect((await read()).brings.servers).toEqual([
    "db: npx -y db-server",
    "far: https://example.org/mcp",
    "odd: ?",
  ]);
});

test("rules that allow, added folders and a mode are listed; rules that deny open nothing", async () => {
  const { read } = await folderWith({
    [settings]: {
      permissions: {
        allow: ["Bash(npm *)"],
        deny: ["Read(.env)"],
        additionalDirectories: ["../shared"],
        defaultMode: "acceptEdits",
      },
    },
  });
  expect((await read()).brings.rules).toEqual(["Bash(npm *)", "folder ../shared", "mode acceptEdits"]);
});

test.each([
  ["apiKeyHelper", "./key.sh"],
  ["env", { ANTHROPIC_BASE_URL: "https://example.org" }],
  ["statusLine", { type: "command", command: "./line.sh" }],
  ["enabledPlugins", { "a@b": true }],
  ["enableAllProjectMcpServers", true],
])("the setting %s is listed, for it can make Claude run or call something", async (name, value) => {
  const { read } = await folderWith({ [settings]: { [name]: value, theme: "dark" } });
  expect((await read()).brings.hooks).toEqual([`${name}: ${JSON.stringify(value)}`]);
});

test("files that advise, and files that can act when they are used, are named as left out; empty folders are not", async () => {
  const { folder, read } = await folderWith({
    "CLAUDE.md": "Be kind.",
    ".claude/agents/one.md": "An agent.",
    ".claude/skills/two/SKILL.md": "A skill.",
  });
  await mkdir(join(folder, ".claude/commands"));
  expect((await read()).brings).toEqual({
    hooks: [],
    servers: [],
    rules: [],
    leftOut: ["CLAUDE.md", ".claude/agents/one.md", ".claude/skills/two/SKILL.md"],
  });
});

test.each([
  "{",
  "",
  "[]",
  "null",
  '"text"',
  '{"hooks": []}',
  '{"hooks": {"Stop": "./x.sh"}}',
  '{"permissions": 7}',
])("settings that cannot be read are said to hold anything: %s", async (text) => {
  const { read } = await folderWith({ [settings]: text });
  expect((await read()).brings.hooks).toEqual([`${settings}: cannot be read, so it may hold anything`]);
});

test.each(["{", "[]", '{"mcpServers": []}', '{"mcpServers": {"db": "npx"}}', '{"servers": {}}'])(
  "a list of servers that cannot be read is said to hold anything: %s",
  async (text) => {
    const { read } = await folderWith({ ".mcp.json": text });
    expect((await read()).brings.servers).toEqual([".mcp.json: cannot be read, so it may hold anything"]);
  },
);

test("one file that cannot be read hides nothing of the others", async () => {
  const { read } = await folderWith({ [settings]: "{", [local]: aHook("./done.sh") });
  expect((await read()).brings.hooks).toEqual([
    `${settings}: cannot be read, so it may hold anything`,
    "Stop: ./done.sh",
  ]);
});

test("the fingerprint is the same as long as nothing that acts has changed", async () => {
  const { read, write } = await folderWith({ [settings]: aHook("./done.sh"), "CLAUDE.md": "Be kind." });
  const { fingerprint } = await read();
  await write({ "CLAUDE.md": "Be brief.", "CLAUDE.local.md": "And kind.", "src/index.js": "1" });
  expect((await read()).fingerprint).toBe(fingerprint);
});

test.each<[string, Content]>([
  ["a hook changed", { [settings]: aHook("./other.sh") }],
  ["local settings came", { [local]: { permissions: { allow: ["Bash(rm *)"] } } }],
  ["servers came", { ".mcp.json": { mcpServers: { db: { command: "npx" } } } }],
  ["settings became unreadable", { [settings]: "{" }],
])("the fingerprint is another one after %s", async (_what, changed) => {
  const { read, write } = await folderWith({ [settings]: aHook("./done.sh") });
  const before = await read();
  await write(changed);
  expect((await read()).fingerprint).not.toBe(before.fingerprint);
});

test("an agent, command or skill that changes is another fingerprint: it can carry hooks and commands", async () => {
  const one = await folderWith({ ".claude/agents/one.md": "An agent." });
  const other = await folderWith({ ".claude/agents/one.md": "---\nhooks: {}\n---\nAn agent." });
  expect((await one.read()).fingerprint).not.toBe((await other.read()).fingerprint);
});

test("the same words in another file are another fingerprint", async () => {
  const rule = { permissions: { allow: ["Bash(rm *)"] } };
  const [one, other] = [await folderWith({ [settings]: rule }), await folderWith({ [local]: rule })];
  expect((await one.read()).fingerprint).not.toBe((await other.read()).fingerprint);
});

const accepted = (folder: string, value: unknown = true) => ({
  ".claude.json": { projects: { [folder]: { hasTrustDialogAccepted: value, other: 1 } } },
});

test("a folder that was accepted in Claude's own dialog is trusted, its neighbours and children are not", async () => {
  const { folder: HOME } = await folderWith(accepted("/home/me/web"));
  expect(await isTrustedByClaude("/home/me/web", { HOME })).toBe(true);
  for (const other of ["/home/me", "/home/me/web/sub", "/home/me/web-old", "/home/me/web/", "constructor"]) {
    expect(await isTrustedByClaude(other, { HOME }), other).toBe(false);
  }
});

test("Claude's own folder, where one is set, counts instead of the home folder", async () => {
  const { folder: HOME } = await folderWith(accepted("/home/me/web"));
  const { folder: CLAUDE_CONFIG_DIR } = await folderWith(accepted("/home/me/shop"));
  const env = { HOME, CLAUDE_CONFIG_DIR };
  expect(await isTrustedByClaude("/home/me/shop", env)).toBe(true);
  expect(await isTrustedByClaude("/home/me/web", env)).toBe(false);
});

test.each([false, "true", 1, null])("an acceptance of %j is none", async (value) => {
  const { folder: HOME } = await folderWith(accepted("/web", value));
  expect(await isTrustedByClaude("/web", { HOME })).toBe(false);
});

test.each<[string, Content]>([
  ["no file", {}],
  ["a file that is no JSON", { ".claude.json": "{" }],
  ["a file without projects", { ".claude.json": {} }],
  ["projects that are no table", { ".claude.json": { projects: [] } }],
])("with %s nothing is trusted", async (_what, files) => {
  const { folder: HOME } = await folderWith(files);
  expect(await isTrustedByClaude("/web", { HOME })).toBe(false);
});

test("without a home nothing is trusted", async () => {
  expect(await isTrustedByClaude("/web", {})).toBe(false);
});
