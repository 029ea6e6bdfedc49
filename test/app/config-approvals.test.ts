import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Config, loadConfig } from "../../src/app/config.ts";
import { ConfigError } from "../../src/app/config-error.ts";

// One folder is home and the folder of the configuration in one; `work` in it is a project.
let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "signoff-approvals-")));
  await mkdir(join(home, "work"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function load(more: string): Promise<Config> {
  const text = `[telegram]\ntoken = "1:a"\nallowed_users = [111, 222]\n[projects.web]\npath = "work"\n${more}`;
  await writeFile(join(home, "signoff.toml"), text, { mode: 0o600 });
  return loadConfig({ env: { PATH: "/nowhere" }, cwd: home, homedir: home });
}

/** What the owner reads, each line without the name of the file. */
async function complaints(more: string): Promise<string[]> {
  const error = await load(more).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigError))
    throw new Error("It was accepted, or failed otherwise.", { cause: error });
  return error.lines.map((line) => line.replace(`${home}/signoff.toml: `, "").replaceAll(home, "HOME"));
}

const rule = (lines: string) => `[[approvals.rules]]\n${lines}`;

describe("own rules", () => {
  test("are taken over in order, the project's own apart, with their places as names", async () => {
    const { approvals, defaultProject } = await load(`
[[approvals.rules]]
tool = "Edit"
paths = ["src/**", "~/notes/*.md"]
decision = "allow"
[[approvals.rules]]
tool = "WebFetch"
hosts = ["*.Example.com", "bücher.example"]
decision = "deny"
reason = "Use the mirror."
[[projects.web.rules]]
tool = "mcp__github__*"
decision = "ask"
`);
    expect(approvals.rules.own).toEqual([
      {
        name: "approvals.rules[0]: Edit src/** ~/notes/*.md",
        tool: "Edit",
        paths: ["src/**", join(home, "notes/*.md")],
        decision: "allow",
      },
      {
        name: "approvals.rules[1]: WebFetch *.Example.com bücher.example",
        tool: "WebFetch",
        hosts: ["*.example.com", "xn--bcher-kva.example"],
        decision: "deny",
        reason: "Use the mirror.",
      },
    ]);
    expect(defaultProject.rules.own).toEqual([
      { name: "projects.web.rules[0]: mcp__github__*", tool: "mcp__github__*", decision: "ask" },
    ]);
  });

  test("a rule with a pattern is for Claude Code to keep", async () => {
    const { approvals, defaultProject } = await load(`
[[approvals.rules]]
tool = "Bash"
pattern = "npm test *"
decision = "allow"
[[approvals.rules]]
tool = "Read"
pattern = "./secrets/**"
decision = "deny"
[[projects.web.rules]]
tool = "Bash"
pattern = "git push *"
decision = "ask"
`);
    expect(approvals.rules).toEqual({
      own: [],
      handed: { allow: ["Bash(npm test *)"], deny: ["Read(./secrets/**)"], ask: [] },
    });
    expect(defaultProject.rules.handed).toEqual({ allow: [], deny: [], ask: ["Bash(git push *)"] });
  });

  test("a glob from the root counts in both spellings when its beginning goes through a link", async () => {
    await symlink(join(home, "work"), join(home, "link"));
    const { approvals } = await load(
      rule(`tool = "Read"\npaths = ["~/link/*/a", "/**", "${home}/link"]\ndecision = "allow"`),
    );
    expect(approvals.rules.own[0]?.paths).toEqual([
      join(home, "link/*/a"),
      join(home, "work/*/a"),
      "/**",
      join(home, "link"),
      join(home, "work"),
    ]);
  });

  test.each([
    ['decision = "allow"', `tool must be a tool's name in quotes, as "Edit".`],
    [
      'tool = "Bash(npm test)"\ndecision = "allow"',
      'tool ("Bash(npm test)") is not the name of one tool. Write a name, "*" for every tool, or "mcp__server__*".',
    ],
    [
      'tool = "Ed*"\ndecision = "allow"',
      'tool ("Ed*") is not the name of one tool. Write a name, "*" for every tool, or "mcp__server__*".',
    ],
    [
      'tool = "ExitPlanMode"\ndecision = "allow"',
      'tool ("ExitPlanMode") always needs a person. Remove the rule.',
    ],
    ['tool = "Edit"', 'decision must be "allow", "deny" or "ask".'],
    ['tool = "Edit"\ndecision = "yes"', 'decision must be "allow", "deny" or "ask".'],
    ['tool = "Edit"\ndecision = "ask"\npaths = "src"', 'paths must be a list of globs, as ["src/**"].'],
    ['tool = "Edit"\ndecision = "ask"\npaths = []', "paths is empty. Add a glob, or remove the key."],
    [
      'tool = "Edit"\ndecision = "ask"\npaths = ["../x"]',
      'paths[0] ("../x") climbs with "..". Write the path from the root instead.',
    ],
    [
      'tool = "Edit"\ndecision = "ask"\npaths = ["*.{ts,js}"]',
      'paths[0] ("*.{ts,js}") holds a brace. Write one glob for each name.',
    ],
    [
      'tool = "WebFetch"\ndecision = "ask"\nhosts = ["https://example.com"]',
      'hosts[0] ("https://example.com") is not a host. Write "example.com", "*.example.com" for all below it, or "*", without https:// or a path.',
    ],
    [
      'tool = "WebFetch"\ndecision = "ask"\nhosts = ["ex*.com"]',
      'hosts[0] ("ex*.com") is not a host. Write "example.com", "*.example.com" for all below it, or "*", without https:// or a path.',
    ],
    [
      'tool = "Bash"\ndecision = "allow"',
      'pattern is missing. A rule for Bash needs one, as pattern = "npm test *"; Claude Code itself keeps it.',
    ],
    [
      'tool = "Bash"\ndecision = "allow"\npattern = "ls"\npaths = ["src/**"]',
      'paths cannot be used with Bash: what a command reaches is not to be seen from its text. Use pattern = "npm test *".',
    ],
    [
      'tool = "Bash"\ndecision = "allow"\npattern = "curl *"\nhosts = ["example.com"]',
      'hosts cannot be used with Bash: what a command reaches is not to be seen from its text. Use pattern = "npm test *".',
    ],
    [
      'tool = "Edit"\ndecision = "allow"\npattern = "x"\npaths = ["src/**"]',
      "pattern cannot stand beside paths. Write two rules.",
    ],
    [
      'tool = "mcp__files__move"\ndecision = "allow"\npaths = ["src/**"]',
      'paths cannot be used with mcp__files__move. It is for Read, Edit, MultiEdit, Write, NotebookRead, NotebookEdit, LS, Glob, Grep and "*".',
    ],
    [
      'tool = "WebSearch"\ndecision = "allow"\nhosts = ["example.com"]',
      "hosts cannot be used with WebSearch. It is for WebFetch.",
    ],
    ['tool = "*"\ndecision = "deny"\npattern = "x"', "pattern cannot be used with *. Name one tool."],
    ['tool = "Edit"\ndecision = "ask"\nreason = "x"', "reason is for a rule that denies. Remove it."],
    [
      'tool = "Bash"\npattern = "x"\ndecision = "deny"\nreason = "x"',
      "reason cannot be told to Claude: a rule with a pattern is kept by Claude Code, in its own words. Remove it.",
    ],
    [
      'tool = "Edit"\ndecision = "ask"\npath = ["src/**"]',
      "path is not a known key. Did you mean approvals.rules[0].paths?",
    ],
    [
      'tool = "Edit"\ndecision = "ask"\nwhen = "now"',
      "when is not a known key. Remove it; config.example.toml shows every key.",
    ],
  ])("%s", async (lines, says) => {
    expect(await complaints(rule(lines))).toEqual([`approvals.rules[0].${says}`]);
  });

  test("a rule in single brackets, and one in a project that is wrong", async () => {
    expect(await complaints('[approvals.rules]\ntool = "Edit"')).toEqual([
      "approvals.rules must be tables: write [[approvals.rules]], in double brackets.",
    ]);
    expect(await complaints('[[projects.web.rules]]\ntool = "Edit"\ndecison = "ask"')).toEqual([
      'projects.web.rules[0].decision must be "allow", "deny" or "ask".',
      "projects.web.rules[0].decison is not a known key. Did you mean projects.web.rules[0].decision?",
    ]);
  });

  test("what a rule opens wide, or can never close, is warned of", async () => {
    const { warnings } = await load(`
[[approvals.rules]]
tool = "*"
decision = "allow"
[[approvals.rules]]
tool = "Bash"
pattern = "*"
decision = "allow"
[[approvals.rules]]
tool = "Edit"
paths = ["src/**"]
decision = "allow"
[[projects.web.rules]]
tool = "Read"
paths = ["secrets/**"]
decision = "deny"
`);
    expect(warnings).toEqual([
      "approvals.rules[0] lets Claude use every tool without asking you.",
      "approvals.rules[1] lets Claude use Bash without asking you.",
      "projects.web.rules[0] is about Read, for which Claude Code does not ask inside the project, so it counts outside of it only. With pattern in place of paths, Claude Code keeps the rule everywhere.",
    ]);
  });
});

describe("the program, reminders and expiry", () => {
  test.each([
    [
      'command = "policy"',
      'approvals.command must be a list of a program and its arguments, as ["/usr/local/bin/policy"].',
    ],
    [
      "command = []",
      'approvals.command must be a list of a program and its arguments, as ["/usr/local/bin/policy"].',
    ],
    [
      'command = ["/bin/sh", 1]',
      'approvals.command must be a list of a program and its arguments, as ["/usr/local/bin/policy"].',
    ],
    [
      'command = ["./gone"]',
      'approvals.command "./gone" is not a program that can be run. Correct the path, or run chmod +x on it.',
    ],
    ['command = ["policy"]', 'approvals.command "policy" was not found on the PATH. Give its full path.'],
    ['command_seconds = "10"', "approvals.command_seconds must be a number of seconds, without quotes."],
    ["command_seconds = 0", "approvals.command_seconds must be more than 0."],
    ["remind_minutes = -1", "approvals.remind_minutes must be more than 0."],
    ["expire_minutes = true", "approvals.expire_minutes must be a number of minutes, without quotes."],
    [
      "remind_minutes = 5\nexpire_minutes = 5",
      "approvals.remind_minutes (5) must be less than approvals.expire_minutes (5), or nobody would be reminded in time.",
    ],
    [
      "expires_minutes = 5",
      "approvals.expires_minutes is not a known key. Did you mean approvals.expire_minutes?",
    ],
  ])("%s", async (lines, says) => {
    expect(await complaints(`[approvals]\n${lines}`)).toEqual([says]);
  });
});

describe("approvers", () => {
  test.each([
    [
      'chat = "-100"\nusers = [111]',
      "telegram.approvers[0].chat must be the id of a group: a whole number, without quotes, as -1001234567890.",
    ],
    [
      "chat = 111\nusers = [111]",
      "telegram.approvers[0].chat (111) is not the id of a group, which is below 0. In a private chat there is nobody else.",
    ],
    [
      "chat = -100\nusers = []",
      "telegram.approvers[0].users is empty, so nobody could answer there. Add a user id, as [111].",
    ],
    [
      "chat = -100\nusers = [111, 333]",
      "telegram.approvers[0].users[1] (333) is not in telegram.allowed_users, so nobody would listen to them. Add the id there, or remove it here.",
    ],
    [
      "chat = -100\nusers = [111]\n[[telegram.approvers]]\nchat = -100\nusers = [222]",
      "telegram.approvers[1].chat (-100) is named twice. Write all its users in one table.",
    ],
    [
      "chat = -100\nuser = [111]",
      "telegram.approvers[0].user is not a known key. Did you mean telegram.approvers[0].users?",
    ],
  ])("%s", async (lines, says) => {
    expect((await complaints(`[[telegram.approvers]]\n${lines}`)).at(-1)).toBe(says);
  });
});
