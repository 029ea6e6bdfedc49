import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SeenMessage } from "../support/bot-api/seen-message.ts";
import { startBotProcess } from "../support/bot-process.ts";
import { eventually } from "../support/eventually.ts";
import { script } from "../support/model/script.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const touch = (file: string) => ({ tools: [{ name: "Bash", input: { command: `touch ${file}` } }] });

/** Changes the config before the bot starts. */
async function reconfigure(change: (config: string) => string): Promise<void> {
  await writeFile(stage.configFile, change(await readFile(stage.configFile, "utf8")));
}

/** How often a line of this event stands in the bot's log. */
const logged = (event: string): number => stage.bot().log().split(` ${event}`).length - 1;

const untilNoProcess = () =>
  eventually(async () => (await stage.marked()).length === 0, "the session's process to end");

test("Claude is killed in mid-turn: the thread is told once, and Try again does the work", async () => {
  stage = await setStage({ claude: 'allowed_tools = ["Bash"]' });
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, script([touch("made.txt"), { wait: "middle" }, { text: "Done after all." }]));
  await model.reached("middle");
  await killClaude();
  const notice = await chat.untilMessage("Claude's process ended in the middle of the turn");
  model.open("middle");
  expect((await ann.taps(notice, "Try again").toast()).text).toBe("Sending it again");
  await chat.untilMessage("Done after all.");
  expect((await ann.taps(notice, "Try again").toast()).text).not.toBe("Sending it again");
  expect(chat.fromBot().filter(isOfferToRetry)).toHaveLength(1);
  // The one that was killed and the one that did the work.
  expect(logged("claude.started")).toBe(2);
});

test("Claude is killed before its first word: the work is done all the same, after one tap at most", async () => {
  stage = await setStage();
  const { ann, chat, model, telegram } = stage;
  await stage.start();
  ann.sends(chat, script([{ wait: "first" }, { text: "Done after all." }]));
  await model.reached("first");
  await killClaude();
  model.open("first");
  // A CLI that had noted the prompt will not do it again unasked; one that had not simply does it.
  const next = await telegram.until(
    () => chat.fromBot().find((seen) => isOfferToRetry(seen) || seen.text.includes("Done after all.")),
    "an offer or the answer",
  );
  if (isOfferToRetry(next)) await ann.taps(next, "Try again").toast();
  await chat.untilMessage("Done after all.");
  expect(chat.fromBot().filter(({ text }) => text.includes("Done after all."))).toHaveLength(1);
  // Where the CLI had noted nothing yet, one more start finds that there is nothing to resume.
  expect(logged("claude.started")).toBeLessThanOrEqual(3);
});

test("a Claude that ends at once is tried a few times and no more, and the thread is told what it said", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  const broken = 'case "$*" in *--version*) echo 2.1.197;; *) echo "no such luck" >&2; exit 3;; esac';
  await reconfigure((config) =>
    config.replace(/^command = .*$/m, `command = ${JSON.stringify(["sh", "-c", broken, "claude"])}`),
  );
  await stage.start();
  ann.sends(chat, script([{ text: "Never." }]));
  const notice = await chat.untilMessage("no such luck");
  expect(notice.text).toContain("exit 3");
  expect(logged("claude.started")).toBe(3);
  expect((await ann.taps(notice, "Try again").toast()).text).toBe("Sending it again");
  await chat.untilMessage("no such luck", notice);
  expect(logged("claude.started")).toBe(6);
});

test("an overloaded API is shown in the progress; a refused login is told at once, with what to do", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  const overloaded = { status: 529, error: "overloaded_error", message: "Overloaded" };
  ann.sends(chat, script([overloaded, { wait: "capacity" }, { text: "Through at last." }]));
  await chat.untilMessage(/the API is overloaded, retry 1 of \d+ at \d/);
  model.open("capacity");
  await chat.untilMessage("Through at last.");
  const refused = { status: 401, error: "authentication_error", message: "invalid x-api-key" };
  ann.sends(chat, script([refused, { wait: "login" }, { text: "Logged in again." }]));
  const told = await chat.untilMessage("The API refuses Claude's login (401)");
  expect(told.text).toContain("type /login");
  model.open("login");
  await chat.untilMessage("Logged in again.");
});

test("a conversation that is gone is said to be, and only a tap starts a fresh one", async () => {
  stage = await setStage({ claude: "idle_minutes = 0.02" });
  const { ann, chat, model, home } = stage;
  await stage.start();
  ann.sends(chat, script([{ text: "Soon forgotten." }]));
  await chat.untilMessage("Soon forgotten.");
  await untilNoProcess();
  await rm(join(home, ".claude", "projects"), { recursive: true });
  ann.sends(chat, script([{ text: "From the start." }], "After the loss."));
  const notice = await chat.untilMessage("Claude no longer has this conversation");
  expect(model.timesTold("After the loss.")).toBe(0);
  expect((await ann.taps(notice, "Start fresh and send it").toast()).text).toBe("Sending it again");
  await chat.untilMessage("From the start.");
  expect(model.timesTold("After the loss.")).toBe(1);
  expect(JSON.stringify(model.requests().at(-1))).not.toContain("Soon forgotten.");
});

test("a project whose folder is gone is named; once it is back, Try again works", async () => {
  stage = await setStage();
  const { ann, chat, project } = stage;
  await stage.start();
  await rm(project, { recursive: true });
  ann.sends(chat, script([{ text: "There again." }]));
  const notice = await chat.untilMessage(`The project's folder ${project} is not there.`);
  await mkdir(project);
  await ann.taps(notice, "Try again").toast();
  await chat.untilMessage("There again.");
});

test("a command of six thousand characters makes a readable card; Show all sends the whole", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  const command = `touch ${"abcdefghi ".repeat(600)}the-end`;
  ann.pastes(chat, script([{ tools: [{ name: "Bash", input: { command } }] }, { text: "Denied, then." }]));
  const card = await chat.untilMessage(({ buttons }) => buttons.flat().some(({ text }) => text === "Deny"));
  expect(card.text).toContain("touch abcdefghi");
  expect(card.text).toContain("the-end");
  expect(card.text.length).toBeLessThan(3_000);
  expect((await ann.taps(card, "Show all").toast()).text).toBe("Sending all of it…");
  const whole = await chat.untilMessage(({ file }) => file !== undefined);
  expect(whole.file?.content.toString("utf8")).toContain(command);
  await ann.taps(card, "Deny").toast();
  await chat.untilMessage("Denied, then.");
  expect(model.lastToolResults().join()).toContain("The user denied this.");
});

test("dangerously_skip_permissions runs without asking, and says so in the log and in /status", async () => {
  stage = await setStage({ claude: "dangerously_skip_permissions = true" });
  const { ann, chat, project } = stage;
  // Claude refuses this to root unless it is told that it is in a sandbox.
  await reconfigure((config) => config.replace("[claude.env]", '[claude.env]\nIS_SANDBOX = "1"'));
  await stage.start();
  expect(stage.bot().log()).toMatch(/config\.warning.*dangerously_skip_permissions/);
  ann.sends(chat, script([touch("made.txt"), { text: "Not asked." }]));
  await chat.untilMessage("Not asked.");
  expect(existsSync(join(project, "made.txt"))).toBe(true);
  ann.sends(chat, "/status");
  await chat.untilMessage("dangerously_skip_permissions is on: Claude does everything without asking.");
});

test("neither the bot's token nor an API key of its environment reaches Claude, its tools, or the log", async () => {
  stage = await setStage({ claude: 'allowed_tools = ["Bash"]' });
  const { ann, chat, telegram, model, project, configFile, home } = stage;
  const key = "sk-ant-of-the-bots-own-environment";
  await reconfigure((config) => config.replace(/^token = .*$/m, "").replace(/^ANTHROPIC_API_KEY = .*$/m, ""));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TELEGRAM_BOT_TOKEN: telegram.token,
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_AUTH_TOKEN: key,
    // A login that is not the key: what a subscription has.
    CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-a-login-of-no-value",
  };
  const bot = await startBotProcess({ configFile, env }, telegram);
  try {
    const tool = { name: "Bash", input: { command: "env > env.txt" } };
    ann.sends(chat, script([{ tools: [tool] }, { wait: "look" }, { text: "Looked." }]));
    await model.reached("look");
    const pids = await stage.marked();
    const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, "utf8")));
    expect(environments.length).toBeGreaterThan(1);
    const seen = [...environments, await readFile(join(project, "env.txt"), "utf8"), bot.log()].join("\n");
    expect(seen).toContain("SIGNOFF_SESSION=");
    expect(seen).not.toContain("TELEGRAM_BOT_TOKEN");
    expect(seen).not.toContain(telegram.token.split(":")[1]);
    expect(seen).not.toContain(key);
    model.open("look");
    await chat.untilMessage("Looked.");
  } finally {
    await bot.kill();
  }
});

const isOfferToRetry = ({ buttons }: SeenMessage): boolean =>
  buttons.flat().some(({ text }) => text === "Try again");

/** kill -9 to Claude itself, without the shells and relays around it. */
async function killClaude(): Promise<void> {
  const pids = await stage.marked();
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8")));
  const own = pids.filter((_, at) => {
    const argv = lines[at]?.split("\0") ?? [];
    return argv.includes("--replay-user-messages") && !argv.includes("-c");
  });
  expect(own.length).toBeGreaterThan(0);
  for (const pid of own) process.kill(pid, "SIGKILL");
}
