import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { runStop } from "../../src/app/stop-command.ts";

const source = (path: string) => new URL(`../../${path}`, import.meta.url).pathname;
const tsx = import.meta.resolve("tsx");
const token = "42:hush";

let home: string;
let stateDir: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "signoff-start-")));
  stateDir = join(home, "state");
  await mkdir(join(home, "web"));
  await writeFile(
    join(home, "signoff.toml"),
    `state_dir = "state"\n[telegram]\nallowed_users = [1]\n[projects.web]\npath = "web"\n`,
  );
});
afterEach(() => rm(home, { recursive: true, force: true }));

function run(script: string, args: string[], env: Record<string, string> = {}) {
  const child = execa(process.execPath, ["--import", tsx, source(script), ...args], {
    cwd: home,
    env: { PATH: process.env.PATH ?? "", HOME: home, ...env },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const signoff = (...args: string[]) => run("src/main.ts", args);
const standIn = (args: string[], temper = "obedient") =>
  run("test/support/stand-in-bot.ts", args, {
    TEMPER: temper,
    ...(args[0] === "start" ? { TELEGRAM_BOT_TOKEN: token } : {}),
  });

/** What a finished command leaves with its user. */
async function outcome(child: ReturnType<typeof run>) {
  const { exitCode, signal, stdout, stderr } = await child;
  const clean = (text: string) =>
    text
      .replaceAll(home, "HOME")
      .replaceAll(/^\S+Z /gm, "")
      .replaceAll(/pid \d+/g, "pid N");
  return { exit: exitCode ?? signal, out: clean(stdout), err: clean(stderr) };
}

async function startedBot(temper = "obedient") {
  const bot = standIn(["start"], temper);
  let said = "";
  bot.stderr.on("data", (chunk) => {
    said += String(chunk);
  });
  await vi.waitUntil(() => said.includes("stand_in.ready"), 20_000);
  return { bot, saidSo: (text: string) => vi.waitUntil(() => said.includes(text), 20_000) };
}

test("signoff --help and --version answer on stdout", async () => {
  const [help, version] = await Promise.all([outcome(signoff("--help")), outcome(signoff("--version"))]);
  expect(help).toMatchInlineSnapshot(`
    {
      "err": "",
      "exit": 0,
      "out": "Signoff runs Claude Code on this machine and asks you on Telegram before it acts.

    Usage:
      signoff start [--config FILE]         run the bot until it is stopped
      signoff stop [--all] [--config FILE]  stop the bot; Claude's processes go on working
                                            --all ends them too
      signoff audit [--json | --csv] [--limit N] [--config FILE]
                                            print what was decided, the newest first;
                                            --limit: at most so many (100)

    Options:
      --config FILE  the configuration; else $SIGNOFF_CONFIG, ./signoff.toml,
                     or signoff/signoff.toml in $XDG_CONFIG_HOME (~/.config)
      --help, -h     show this
      --version, -V  show the version",
    }
  `);
  expect(version).toEqual({ exit: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+$/), err: "" });
});

test("a wrong command line and a wrong configuration are one line each and exit 2", async () => {
  const [command, config, stop] = await Promise.all([
    outcome(signoff("strat")),
    outcome(signoff("start", "--config", "signoff.toml")),
    outcome(signoff("stop", "--config", "gone.toml")),
  ]);
  expect({ command, config, stop }).toMatchInlineSnapshot(`
    {
      "command": {
        "err": "There is no command "strat". Did you mean start? See signoff --help.",
        "exit": 2,
        "out": "",
      },
      "config": {
        "err": "HOME/signoff.toml: telegram.token is missing. Get one from @BotFather and set token, token_file, or TELEGRAM_BOT_TOKEN in the environment.",
        "exit": 2,
        "out": "",
      },
      "stop": {
        "err": "--config HOME/gone.toml: no such file. Correct the path, or create the file.",
        "exit": 2,
        "out": "",
      },
    }
  `);
});

test("a bot ends on SIGTERM and leaves neither its lock nor its note", async () => {
  const { bot } = await startedBot();
  const noted = (await stat(join(stateDir, "bot.pid"))).mode & 0o777;
  bot.kill("SIGTERM");
  expect(await outcome(bot)).toEqual({
    exit: 0,
    out: "",
    err: "info stand_in.ready\ninfo bot.stop_asked signal=SIGTERM",
  });
  expect({ noted, left: existsSync(join(stateDir, "bot.pid")) }).toEqual({ noted: 0o600, left: false });
});

test("a second signal ends a bot that takes its time", async () => {
  const { bot, saidSo } = await startedBot("stubborn");
  bot.kill("SIGINT");
  await saidSo("bot.stop_asked");
  bot.kill("SIGINT");
  expect(await outcome(bot)).toMatchObject({ exit: 130, err: expect.stringContaining("bot.stop_cut_short") });
});

test("a bot that ends by itself gives its own exit code", async () => {
  expect((await outcome(standIn(["start"], "weary"))).exit).toBe(3);
});

test("what the bot finds wrong in the configuration is one line and exit 2", async () => {
  expect(await outcome(standIn(["start"], "misconfigured"))).toEqual({
    exit: 2,
    out: "",
    err: "claude.command is not there. Install it.",
  });
});

test.each(["failing", "throwing", "rejecting"])(
  "a %s bot exits 1 and tells why without its token",
  async (temper) => {
    const { exit, err } = await outcome(standIn(["start"], temper));
    expect(err).toContain('error="no way to /bot[hidden]/getMe"');
    expect({ exit, leaked: err.includes("hush") }).toEqual({ exit: 1, leaked: false });
  },
);

test("a second bot is refused and does not disturb the first, which signoff stop then ends", async () => {
  const { bot } = await startedBot();
  const second = await outcome(standIn(["start"]));
  const stop = await outcome(standIn(["stop"]));
  expect({ second, stop, first: (await outcome(bot)).exit }).toMatchInlineSnapshot(`
    {
      "first": 0,
      "second": {
        "err": "state_dir "HOME/state" is in use by another bot (pid N). Stop that one with signoff stop, or name another folder.",
        "exit": 2,
        "out": "",
      },
      "stop": {
        "err": "",
        "exit": 0,
        "out": "The bot (pid N) has stopped.",
      },
    }
  `);
});

test("signoff stop --all ends the bot and then Claude's processes", async () => {
  const { bot } = await startedBot();
  const stop = await outcome(standIn(["stop", "--all"]));
  expect({ stop, bot: (await outcome(bot)).exit }).toMatchInlineSnapshot(`
    {
      "bot": 0,
      "stop": {
        "err": "",
        "exit": 0,
        "out": "The bot (pid N) has stopped.
    Ended 2 of Claude's processes.",
      },
    }
  `);
});

test("signoff stop is content when no bot runs, and creates nothing", async () => {
  const stop = await outcome(standIn(["stop", "--all"]));
  expect({ stop, created: existsSync(stateDir) }).toMatchInlineSnapshot(`
    {
      "created": false,
      "stop": {
        "err": "",
        "exit": 0,
        "out": "No bot is running for HOME/state.",
      },
    }
  `);
});

test("signoff stop says when a killed bot left its note behind, and removes it", async () => {
  const { bot } = await startedBot();
  bot.kill("SIGKILL");
  await bot;
  const stop = await outcome(standIn(["stop"]));
  expect({ stop, left: existsSync(join(stateDir, "bot.pid")) }).toMatchInlineSnapshot(`
    {
      "left": false,
      "stop": {
        "err": "",
        "exit": 0,
        "out": "No bot is running for HOME/state (bot.pid was left by pid N, which ended without cleaning up).",
      },
    }
  `);
});

test("signoff stop never signals a stranger who got the pid of the note", async () => {
  const { bot } = await startedBot();
  const stranger = execa("sleep", ["600"], { reject: false });
  onTestFinished(() => void stranger.kill("SIGKILL"));
  await writeFile(
    join(stateDir, "bot.pid"),
    JSON.stringify({ pid: stranger.pid, startTime: "another time" }),
  );
  const stop = await outcome(standIn(["stop"]));
  expect({ stop, stranger: stranger.exitCode, bot: bot.exitCode }).toMatchInlineSnapshot(`
    {
      "bot": null,
      "stop": {
        "err": "A process holds HOME/state, but bot.pid does not say which. If it is not another "signoff stop", end it yourself.",
        "exit": 1,
        "out": "",
      },
      "stranger": null,
    }
  `);
});

test("signoff stop shows that it waits, and gives up on a bot that does not end", async () => {
  const { bot } = await startedBot("stubborn");
  const said: string[] = [];
  const say = (line: string) => void said.push(line.replace(/\d{2,}/g, "N"));
  const exit = await runStop(
    { all: false },
    { env: {}, cwd: home, homedir: home, out: say, err: say },
    () => Promise.reject(new Error("not asked for")),
    { limit: 300, untilProgress: 0, between: 20 },
  );
  expect({ exit, said }).toMatchInlineSnapshot(`
    {
      "exit": 1,
      "said": [
        "Waiting for the bot (pid N) to finish what it is doing …",
        "The bot (pid N) has not stopped within 0.3 s. Try again, or end it with kill -9 N.",
      ],
    }
  `);
  bot.kill("SIGKILL");
  await once(bot, "exit");
});
