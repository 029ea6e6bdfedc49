import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Config, loadConfig, loadStateDir } from "../../src/app/config.ts";
import { ConfigError } from "../../src/app/config-error.ts";

const token = "123456:a-token-that-nobody-must-see";

// One folder is home and working folder in one; `work` in it is a project.
let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "signoff-config-")));
  await mkdir(join(home, "work"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const noRules = { own: [], handed: { allow: [], deny: [], ask: [] } };

const working = {
  telegram: `token = "${token}"\nallowed_users = [111]`,
  projects: `[projects.web]\npath = "work"`,
};

type Parts = { top?: string; telegram?: string; rest?: string; projects?: string };

function toml(parts: Parts): string {
  const { top = "", telegram = working.telegram, rest = "", projects = working.projects } = parts;
  return [top, "[telegram]", telegram, rest, projects].join("\n");
}

async function put(path: string, text: string, mode = 0o600): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

type Settings = { argvPath?: string; env?: NodeJS.ProcessEnv };

function load({ env = {}, ...rest }: Settings = {}): Promise<Config> {
  return loadConfig({ env, cwd: home, homedir: home, ...rest });
}

async function configFrom(text: string, settings: Settings = {}): Promise<Config> {
  await put("signoff.toml", text);
  return load(settings);
}

/** The lines the owner reads, with the folder of the test taken out. */
async function complaint(loading: Promise<unknown>): Promise<string> {
  const error = await loading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigError))
    throw new Error("It was accepted, or failed otherwise.", { cause: error });
  expect(error.message).not.toContain("nobody-must-see");
  return error.message.replaceAll(home, "HOME");
}

const complaintAbout = (parts: Parts) => complaint(configFrom(toml(parts)));

describe("a configuration that works", () => {
  test("the smallest one gets every default", async () => {
    expect(await configFrom(toml({}))).toEqual({
      file: join(home, "signoff.toml"),
      stateDir: join(home, ".local/state/signoff"),
      defaultProject: { name: "web", path: join(home, "work"), trust: false, rules: noRules },
      projects: new Map([["web", { name: "web", path: join(home, "work"), trust: false, rules: noRules }]]),
      telegram: { token, apiRoot: "https://api.telegram.org", allowedUsers: [111], approvers: new Map() },
      claude: {
        command: ["claude"],
        permissionMode: "default",
        allowedTools: [],
        dangerouslySkipPermissions: false,
        useApiBilling: false,
        idleMinutes: 15,
        env: {},
      },
      approvals: {
        autoApprove: (
          "Read Grep Glob LS NotebookRead BashOutput TodoWrite TodoRead " +
          "TaskCreate TaskGet TaskList TaskUpdate WebSearch"
        ).split(" "),
        rules: noRules,
      },
      warnings: [],
    });
  });

  test("every key is taken over, with ~ and relative paths made absolute", async () => {
    await mkdir(join(home, "conf/own"), { recursive: true });
    await symlink(join(home, "work"), join(home, "link"));
    await put("bin/policy", "", 0o700);
    const tokenFile = await put("secret/token", `  ${token}\n`);
    const file = await put(
      "conf/mine.toml",
      `state_dir = "~/state"
default_project = "api"
[telegram]
token_file = "~/secret/token"
api_root = "http://127.0.0.1:8081/"
allowed_users = [111, 222, 111]
[[telegram.approvers]]
chat = -100123
users = [222, 222]
[claude]
command = ["../bin/claude", "--debug"]
model = "sonnet"
permission_mode = "plan"
allowed_tools = ["Bash(git log:*)"]
use_api_billing = true
idle_minutes = 0.5
[claude.env]
HTTPS_PROXY = "http://proxy:3128"
[approvals]
auto_approve = []
command = ["../bin/policy", "--strict"]
command_seconds = 2.5
remind_minutes = 5
expire_minutes = 60
[projects.web]
path = "~/link"
[projects.api]
path = "own"
trust = true
`,
    );
    const api = { name: "api", path: join(home, "conf/own"), trust: true, rules: noRules };
    expect(await load({ argvPath: "conf/mine.toml" })).toEqual({
      file,
      stateDir: join(home, "state"),
      defaultProject: api,
      projects: new Map([
        ["web", { name: "web", path: join(home, "work"), trust: false, rules: noRules }],
        ["api", api],
      ]),
      telegram: {
        token,
        tokenFile,
        apiRoot: "http://127.0.0.1:8081",
        allowedUsers: [111, 222],
        approvers: new Map([[-100123, [222]]]),
      },
      claude: {
        command: [join(home, "bin/claude"), "--debug"],
        model: "sonnet",
        permissionMode: "plan",
        allowedTools: ["Bash(git log:*)"],
        dangerouslySkipPermissions: false,
        useApiBilling: true,
        idleMinutes: 0.5,
        env: { HTTPS_PROXY: "http://proxy:3128" },
      },
      approvals: {
        autoApprove: [],
        rules: noRules,
        program: { command: [join(home, "bin/policy"), "--strict"], seconds: 2.5 },
        remindMinutes: 5,
        expireMinutes: 60,
      },
      warnings: [],
    });
  });

  test("a command in the home folder may begin with ~", async () => {
    const config = await configFrom(toml({ rest: `[claude]\ncommand = "~/bin/claude"` }));
    expect(config.claude.command).toEqual([join(home, "bin/claude")]);
  });

  test("without default_project the first project is it", async () => {
    await mkdir(join(home, "other"));
    const projects = `[projects.zeta]\npath = "other"\n${working.projects}`;
    expect((await configFrom(toml({ projects }))).defaultProject.name).toBe("zeta");
  });
});

describe("where the configuration is looked for", () => {
  const named = (name: string) => toml({ projects: `[projects.${name}]\npath = "${home}/work"` });

  test("--config wins over SIGNOFF_CONFIG, that over ./signoff.toml, that over the XDG folder, that over ~/.config", async () => {
    await put("flag.toml", named("flag"));
    await put("env.toml", named("env"));
    await put("signoff.toml", named("here"));
    await put("xdg/signoff/signoff.toml", named("xdg"));
    await put(".config/signoff/signoff.toml", named("home"));
    const env = { SIGNOFF_CONFIG: "~/env.toml", XDG_CONFIG_HOME: join(home, "xdg") };

    const found: string[] = [];
    const note = async (settings: Settings) => found.push((await load(settings)).defaultProject.name);
    await note({ argvPath: "flag.toml", env });
    await note({ env });
    await note({ env: { ...env, SIGNOFF_CONFIG: "" } });
    await rm(join(home, "signoff.toml"));
    await note({ env: { ...env, SIGNOFF_CONFIG: "" } });
    await note({ env: { XDG_CONFIG_HOME: "relative/is/ignored" } });
    expect(found).toEqual(["flag", "env", "here", "xdg", "home"]);
  });

  test("none at all", async () => {
    expect(await complaint(load())).toMatchInlineSnapshot(
      `"No configuration was found at HOME/signoff.toml or HOME/.config/signoff/signoff.toml. Copy config.example.toml there, or name a file with --config FILE."`,
    );
  });

  test("one that --config names and that is not there", async () => {
    expect(await complaint(load({ argvPath: "gone.toml" }))).toMatchInlineSnapshot(
      `"--config HOME/gone.toml: no such file. Correct the path, or create the file."`,
    );
  });

  test("one that SIGNOFF_CONFIG names and that is not there", async () => {
    expect(await complaint(load({ env: { SIGNOFF_CONFIG: "gone.toml" } }))).toMatchInlineSnapshot(
      `"SIGNOFF_CONFIG HOME/gone.toml: no such file. Correct the path, or create the file."`,
    );
  });

  test("a folder instead of a file", async () => {
    expect(await complaint(load({ argvPath: "work" }))).toMatchInlineSnapshot(
      `"--config HOME/work is a folder. Name the file in it, as HOME/work/signoff.toml."`,
    );
  });

  test.skipIf(process.getuid?.() === 0)("a file that may not be read", async () => {
    await put("signoff.toml", toml({}), 0o000);
    expect(await complaint(load())).toBe(
      "The configuration HOME/signoff.toml cannot be read (EACCES: permission denied, open 'HOME/signoff.toml'). " +
        "Let the user who runs Signoff read it.",
    );
  });

  test("the state folder follows XDG_STATE_HOME", async () => {
    const config = await configFrom(toml({}), { env: { XDG_STATE_HOME: "/var/state" } });
    expect(config.stateDir).toBe("/var/state/signoff");
  });

  test("the state folder alone is known without a token and with projects that are gone", async () => {
    await put("signoff.toml", `state_dir = "~/mine"\n[projects.web]\npath = "gone"`);
    expect(await loadStateDir({ env: {}, cwd: home, homedir: home })).toBe(join(home, "mine"));
  });

  test("a state folder that is no text is refused also where it alone is read", async () => {
    await put("signoff.toml", "state_dir = 3");
    expect(await complaint(loadStateDir({ env: {}, cwd: home, homedir: home }))).toMatchInlineSnapshot(
      `"HOME/signoff.toml: state_dir must be the path of a folder, in quotes."`,
    );
  });
});

describe("broken TOML is named by file, line and column, without quoting the line", () => {
  test("a string that does not end", async () => {
    expect(await complaint(configFrom(`[telegram]\ntoken = "${token}\n`))).toMatchInlineSnapshot(
      `"HOME/signoff.toml:2:45: not valid TOML: control characters are not allowed in strings. Correct this line; text needs quotes, lists need brackets."`,
    );
  });

  test("a key that is given twice", async () => {
    expect(await complaint(configFrom(`state_dir = "a"\nstate_dir = "b"\n`))).toMatchInlineSnapshot(
      `"HOME/signoff.toml:2:1: not valid TOML: trying to redefine an already defined table or value. Correct this line; text needs quotes, lists need brackets."`,
    );
  });

  test("a value without quotes", async () => {
    expect(await complaint(configFrom("state_dir = ~/state\n"))).toMatchInlineSnapshot(
      `"HOME/signoff.toml:1:13: not valid TOML: invalid value. Correct this line; text needs quotes, lists need brackets."`,
    );
  });
});

describe("the token", () => {
  const rest = "allowed_users = [111]";

  test("the environment wins over token, and that over token_file", async () => {
    await put("token", "3:file");
    const telegram = (lines: string) => toml({ telegram: `${lines}\n${rest}` });
    const env = { TELEGRAM_BOT_TOKEN: "1:env" };
    const both = telegram(`token = "2:config"\ntoken_file = "token"`);
    const found = [
      await configFrom(both, { env }),
      await configFrom(both),
      await configFrom(telegram(`token_file = "token"`), { env: { TELEGRAM_BOT_TOKEN: "" } }),
    ].map((config) => config.telegram.token);
    expect(found).toEqual(["1:env", "2:config", "3:file"]);
  });

  test("none", async () => {
    expect(await complaintAbout({ telegram: rest })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.token is missing. Get one from @BotFather and set token, token_file, or TELEGRAM_BOT_TOKEN in the environment."`,
    );
  });

  test("one of the wrong shape in the configuration", async () => {
    expect(
      await complaintAbout({ telegram: `token = "bot nobody-must-see"\n${rest}` }),
    ).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.token does not look like a bot token (digits, a colon, letters: 123456:ABC…). Copy it again from @BotFather."`,
    );
  });

  test("one of the wrong shape in the environment", async () => {
    const loading = configFrom(toml({}), { env: { TELEGRAM_BOT_TOKEN: "nobody-must-see" } });
    expect(await complaint(loading)).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.token, as TELEGRAM_BOT_TOKEN in the environment gives it, does not look like a bot token (digits, a colon, letters: 123456:ABC…). Copy it again from @BotFather."`,
    );
  });

  test("one of the wrong shape in its file", async () => {
    await put("token", "nobody-must-see");
    expect(await complaintAbout({ telegram: `token_file = "token"\n${rest}` })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.token_file "HOME/token": its content does not look like a bot token (digits, a colon, letters: 123456:ABC…). Copy it again from @BotFather."`,
    );
  });

  test("a file that is not there", async () => {
    expect(await complaintAbout({ telegram: `token_file = "~/gone"\n${rest}` })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.token_file "HOME/gone" is not there. Create it, or correct the path."`,
    );
  });

  test("a file that cannot be read", async () => {
    expect(await complaintAbout({ telegram: `token_file = "work"\n${rest}` })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.token_file "HOME/work" cannot be read (EISDIR: illegal operation on a directory, read). Name a file that the bot's user can read."`,
    );
  });

  test("one handed on to Claude", async () => {
    expect(await complaintAbout({ rest: `[claude.env]\nBOT = "${token}"` })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: claude.env.BOT holds the bot's token, which Claude must never see. Remove it."`,
    );
  });
});

describe("who may use the bot", () => {
  const about = (line: string) => complaintAbout({ telegram: `token = "${token}"\n${line}` });

  test("nobody, because the key is missing", async () => {
    expect(await about("")).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.allowed_users is missing, so nobody could use the bot. Add your own Telegram user id, as allowed_users = [111]. To find your own id, write to your bot and read message.from.id at <api_root>/bot<token>/getUpdates."`,
    );
  });

  test("nobody, because the list is empty", async () => {
    expect(await about("allowed_users = []")).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.allowed_users is empty, so nobody could use the bot. Add your own Telegram user id, as [111]. To find your own id, write to your bot and read message.from.id at <api_root>/bot<token>/getUpdates."`,
    );
  });

  test("a number instead of a list", async () => {
    expect(await about("allowed_users = 111")).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.allowed_users must be a list of Telegram user ids, as allowed_users = [111]."`,
    );
  });

  test("an id in quotes", async () => {
    expect(await about(`allowed_users = [111, "222"]`)).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.allowed_users[1] must be a Telegram user id: a whole number, without quotes."`,
    );
  });

  test("a group", async () => {
    expect(await about("allowed_users = [-1001234567890]")).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.allowed_users[0] (-1001234567890) is the id of a group or channel, not of a person. To find your own id, write to your bot and read message.from.id at <api_root>/bot<token>/getUpdates."`,
    );
  });

  test.each([777000, 1087968824, 136817688])("Telegram's service id %i", async (id) => {
    expect(await about(`allowed_users = [111, ${id}]`)).toBe(
      `HOME/signoff.toml: telegram.allowed_users[1] (${id}) is one of Telegram's service ids, which many people share. ` +
        "To find your own id, write to your bot and read message.from.id at <api_root>/bot<token>/getUpdates.",
    );
  });
});

describe("where the Bot API is", () => {
  const about = (root: string) => complaintAbout({ telegram: `${working.telegram}\napi_root = "${root}"` });
  const warningsFor = async (root: string) =>
    (await configFrom(toml({ telegram: `${working.telegram}\napi_root = "${root}"` }))).warnings;

  test("no URL", async () => {
    expect(await about("api.telegram.org")).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.api_root is not an http or https URL. Write it as "https://api.telegram.org"."`,
    );
  });

  test("a URL of another kind", async () => {
    expect(await about("ftp://api.telegram.org")).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.api_root is not an http or https URL. Write it as "https://api.telegram.org"."`,
    );
  });

  test("a URL with a question mark", async () => {
    expect(await about("https://api.telegram.org?x=1")).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.api_root must have no user, no password, no "?" and no "#". Write it as "https://api.telegram.org"."`,
    );
  });

  test("a URL with the token in it", async () => {
    expect(await about(`https://api.telegram.org/bot${token}`)).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram.api_root must end before "/bot<token>", which Signoff adds itself. Write it as "https://api.telegram.org"."`,
    );
  });

  test.each([
    "http://localhost:8081",
    "http://127.0.0.1",
    "http://[::1]:8081",
    "http://192.168.1.5:8081",
    "http://telegram-bot-api:8081",
    "https://bots.example.org/api",
  ])("%s is fine", async (root) => {
    expect(await warningsFor(root)).toEqual([]);
  });

  test("an unencrypted way over the internet is warned of", async () => {
    expect(await warningsFor("http://bots.example.org")).toMatchInlineSnapshot(`
      [
        "telegram.api_root sends the bot's token unencrypted to bots.example.org. Use https.",
      ]
    `);
  });
});

describe("keys of the wrong name", () => {
  test.each([
    [{ top: `state_directory = "x"` }, ["state_directory is not a known key. Did you mean state_dir?"]],
    [
      { top: "allowed_users = [1]" },
      ["allowed_users is not a known key. Did you mean allowed_users under [telegram]?"],
    ],
    [
      { telegram: `${working.telegram}\nallowedUsers = [1]` },
      ["telegram.allowedUsers is not a known key. Did you mean telegram.allowed_users?"],
    ],
    [{ rest: `[claude]\nmodell = "x"` }, ["claude.modell is not a known key. Did you mean claude.model?"]],
    [
      { rest: `[claude]\nstate_dir = "x"` },
      [
        "claude.state_dir is not a known key. Did you mean state_dir at the top of the file, above the first [table]?",
      ],
    ],
    [{ rest: "[project.web]" }, ["project is not a known key. Did you mean projects?"]],
    [
      { projects: `${working.projects}\ntrusted = true` },
      ["projects.web.trusted is not a known key. Did you mean projects.web.trust?"],
    ],
    [
      { projects: `${working.projects}\nmodel = "x"` },
      ["projects.web.model is not a known key. Did you mean model under [claude]?"],
    ],
    [
      { rest: "[webhooks]" },
      ["webhooks is not a known key. Remove it; config.example.toml shows every key."],
    ],
  ] satisfies [Parts, string[]][])("%j", async (parts, lines) => {
    expect(await complaintAbout(parts)).toBe(lines.map((line) => `HOME/signoff.toml: ${line}`).join("\n"));
  });
});

describe("values of the wrong kind", () => {
  test.each([
    [{ top: "state_dir = 1" }, ["state_dir must be the path of a folder, in quotes."]],
    [{ top: "default_project = true" }, ["default_project must be the name of a project, in quotes."]],
    [{ telegram: "token = 5\nallowed_users = [1]" }, ["telegram.token must be the bot's token, in quotes."]],
    [
      { telegram: "token_file = 5\nallowed_users = [1]" },
      ["telegram.token_file must be the path of a file, in quotes."],
    ],
    [
      { telegram: `${working.telegram}\napi_root = 5` },
      ['telegram.api_root must be a URL in quotes, as "https://api.telegram.org".'],
    ],
    [
      { rest: "[claude]\ncommand = 5" },
      [
        'claude.command must be a name or a path in quotes, as "claude", or a list of them, as ["node", "cli.js"].',
      ],
    ],
    [
      { rest: "[claude]\ncommand = []" },
      [
        'claude.command must be a name or a path in quotes, as "claude", or a list of them, as ["node", "cli.js"].',
      ],
    ],
    [{ rest: `[claude]\nmodel = ""` }, ['claude.model must be a model\'s name in quotes, as "sonnet".']],
    [
      { rest: `[claude]\npermission_mode = "always"` },
      ['claude.permission_mode must be one of "default", "acceptEdits", "plan", "auto", "dontAsk".'],
    ],
    [
      { rest: `[claude]\npermission_mode = "bypassPermissions"` },
      [
        "claude.permission_mode cannot be bypassPermissions. To run without asking, set dangerously_skip_permissions = true instead.",
      ],
    ],
    [
      { rest: `[claude]\nallowed_tools = "Bash"` },
      ['claude.allowed_tools must be a list of tools or rules, as ["Bash(git log:*)"].'],
    ],
    [
      { rest: "[claude]\nallowed_tools = [1]" },
      ['claude.allowed_tools[0] must be a tool or a rule in quotes, as "Bash(git log:*)".'],
    ],
    [
      { rest: `[claude]\ndangerously_skip_permissions = "no"` },
      ["claude.dangerously_skip_permissions must be true or false, without quotes."],
    ],
    [
      { rest: "[claude]\nuse_api_billing = 1" },
      ["claude.use_api_billing must be true or false, without quotes."],
    ],
    [
      { rest: `[claude]\nidle_minutes = "15"` },
      ["claude.idle_minutes must be a number of minutes, without quotes."],
    ],
    [{ rest: "[claude]\nidle_minutes = 0" }, ["claude.idle_minutes must be more than 0."]],
    [
      { rest: "[claude]\nenv = 1" },
      ["claude.env must be a table: write [claude.env] and the variables below."],
    ],
    [{ rest: "[claude.env]\nPORT = 80" }, ["claude.env.PORT must be text in quotes."]],
    [
      { rest: `[claude.env]\n"A=B" = "x"` },
      ["claude.env.A=B is not a name for an environment variable. Use letters, digits and _ only."],
    ],
    [
      { rest: `[claude.env]\nSIGNOFF_SESSION = "x"` },
      ["claude.env.SIGNOFF_SESSION is one of the marks by which Signoff finds its own processes. Remove it."],
    ],
    [
      { rest: `[approvals]\nauto_approve = "Read"` },
      ['approvals.auto_approve must be a list of tools, as ["Read", "Grep"].'],
    ],
    [
      { rest: "[approvals]\nauto_approve = [1]" },
      ["approvals.auto_approve[0] must be a tool's name in quotes."],
    ],
    [
      { rest: `[approvals]\nauto_approve = ["Bash(git log:*)"]` },
      [
        'approvals.auto_approve[0] ("Bash(git log:*)") is not the name of one tool. Rules such as "Bash(git log:*)" belong in claude.allowed_tools.',
      ],
    ],
    [
      { rest: `[approvals]\nauto_approve = ["Read", "ExitPlanMode", "AskUserQuestion"]` },
      [
        'approvals.auto_approve[1] ("ExitPlanMode") always needs a person. Remove it.',
        'approvals.auto_approve[2] ("AskUserQuestion") always needs a person. Remove it.',
      ],
    ],
    [{ top: "claude = 1" }, ["claude must be a table: write [claude] and its keys below."]],
    [{ top: "approvals = 1" }, ["approvals must be a table: write [approvals] and its keys below."]],
    [
      { projects: `[projects."my web"]\npath = "work"` },
      ["projects.my web is not a name for a project. Use 1 to 32 letters, digits, _ or -."],
    ],
    [
      { projects: "[projects.web]" },
      ['projects.web.path must be the path of a folder, as path = "/the/folder".'],
    ],
    [
      { projects: `[projects.web]\npath = "work"\ntrust = "yes"` },
      ["projects.web.trust must be true or false, without quotes."],
    ],
    [
      { projects: `[projects]\nweb = "work"` },
      ['projects.web must be a table: write [projects.NAME] and path = "…" below.'],
    ],
    [
      { projects: "" },
      [
        'projects is missing, so Claude has no folder to work in. Add a table [projects.NAME] with path = "/the/folder".',
      ],
    ],
    [
      { projects: "[projects]" },
      ['projects is empty. Add a table [projects.NAME] with path = "/the/folder".'],
    ],
    [
      { top: "projects = 1", projects: "" },
      ['projects must hold a table for each project. Add a table [projects.NAME] with path = "/the/folder".'],
    ],
  ] satisfies [Parts, string[]][])("%j", async (parts, lines) => {
    expect(await complaintAbout(parts)).toBe(lines.map((line) => `HOME/signoff.toml: ${line}`).join("\n"));
  });

  test("a number instead of the table [telegram]", async () => {
    expect(await complaint(configFrom(`telegram = 1\n${working.projects}`))).toMatchInlineSnapshot(
      `"HOME/signoff.toml: telegram must be a table: write [telegram] and its keys below."`,
    );
  });
});

describe("projects", () => {
  test("a folder that is not there", async () => {
    expect(await complaintAbout({ projects: `[projects.web]\npath = "~/gone"` })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: projects.web.path "HOME/gone" is not there. Create the folder, or correct the path."`,
    );
  });

  test("a file instead of a folder", async () => {
    expect(await complaintAbout({ projects: `[projects.web]\npath = "signoff.toml"` })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: projects.web.path "HOME/signoff.toml" is not a folder. Name the folder it is in."`,
    );
  });

  test("a link that leads in a circle", async () => {
    await symlink(join(home, "circle"), join(home, "circle"));
    expect(await complaintAbout({ projects: `[projects.web]\npath = "circle"` })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: projects.web.path "HOME/circle" cannot be opened (ELOOP: too many symbolic links encountered, realpath 'HOME/circle'). Name a folder that the bot's user can open."`,
    );
  });

  test("a default that is not among them", async () => {
    expect(await complaintAbout({ top: `default_project = "app"` })).toMatchInlineSnapshot(
      `"HOME/signoff.toml: default_project "app" is not among the projects. Choose one of: web."`,
    );
  });
});

describe("several problems at once are listed, each on a line of its own", () => {
  test("in the shape of the file", async () => {
    expect(
      await complaint(configFrom(`stat_dir = "x"\n[claude]\nidle_minutes = -1\n[projects.web]\npath = 3`)),
    ).toMatchInlineSnapshot(`
      "HOME/signoff.toml: telegram.allowed_users is missing, so nobody could use the bot. Add your own Telegram user id, as allowed_users = [111]. To find your own id, write to your bot and read message.from.id at <api_root>/bot<token>/getUpdates.
      HOME/signoff.toml: claude.idle_minutes must be more than 0.
      HOME/signoff.toml: projects.web.path must be the path of a folder, as path = "/the/folder".
      HOME/signoff.toml: stat_dir is not a known key. Did you mean state_dir?"
    `);
  });

  test("in what the file points to", async () => {
    expect(
      await complaintAbout({
        top: `default_project = "app"`,
        telegram: "allowed_users = [1]",
        projects: `[projects.a]\npath = "gone"\n[projects.b]\npath = "lost"`,
      }),
    ).toMatchInlineSnapshot(`
      "HOME/signoff.toml: telegram.token is missing. Get one from @BotFather and set token, token_file, or TELEGRAM_BOT_TOKEN in the environment.
      HOME/signoff.toml: default_project "app" is not among the projects. Choose one of: a, b.
      HOME/signoff.toml: projects.a.path "HOME/gone" is not there. Create the folder, or correct the path.
      HOME/signoff.toml: projects.b.path "HOME/lost" is not there. Create the folder, or correct the path."
    `);
  });
});

describe("warnings", () => {
  const warningsOf = async (text: string, mode: number) => {
    await put("signoff.toml", text, mode);
    return (await load()).warnings.map((warning) => warning.replaceAll(home, "HOME"));
  };

  test.each([0o640, 0o604])("a configuration with the token in it and mode %o", async (mode) => {
    expect(await warningsOf(toml({}), mode)).toEqual([
      "HOME/signoff.toml holds the bot's token and can be read by other users of this machine. Run chmod 600 on it.",
    ]);
  });

  test("a token file that others can read; the configuration without a token may be read by all", async () => {
    await put("token", token, 0o644);
    const text = toml({ telegram: `token_file = "token"\nallowed_users = [1]` });
    expect(await warningsOf(text, 0o644)).toMatchInlineSnapshot(`
      [
        "telegram.token_file "HOME/token" can be read by other users of this machine. Run chmod 600 on it.",
      ]
    `);
  });

  test("tools that act, and no questions at all", async () => {
    const rest = `[claude]\ndangerously_skip_permissions = true\n[approvals]\nauto_approve = ["Read", "Bash", "WebFetch"]`;
    expect(await warningsOf(toml({ rest }), 0o600)).toMatchInlineSnapshot(`
      [
        "approvals.auto_approve lets Claude use Bash without asking you.",
        "approvals.auto_approve lets Claude use WebFetch without asking you.",
        "claude.dangerously_skip_permissions lets Claude do everything without asking you.",
      ]
    `);
  });

  test("our own files inside a project, where a search would read them", async () => {
    const projects = `[projects.web]\npath = "."`;
    expect(await warningsOf(toml({ top: 'state_dir = "state"', projects }), 0o600)).toEqual([
      "HOME/signoff.toml lies inside the project web, where a search by Claude can read it. Move it out.",
      "HOME/state lies inside the project web, where a search by Claude can read it. Move it out.",
    ]);
  });
});
