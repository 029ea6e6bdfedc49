import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { script } from "../support/model/script.ts";
import { queryStore } from "../support/read-store.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const count = (sql: string): number => queryStore<object>(stage.stateDir, sql).length;
const openTurns = (): number => count("SELECT 1 FROM turns WHERE state = 'open'");
const liveProcesses = (): number => count("SELECT 1 FROM processes WHERE state <> 'ended'");

/** The leader of the process group that Claude runs in. */
function leader(): number {
  const [row] = queryStore<{ pid: number }>(
    stage.stateDir,
    "SELECT pid FROM processes WHERE state <> 'ended'",
  );
  return row?.pid ?? Number.NaN;
}

/** Whether Claude's own record of a conversation holds these words. */
function keptOnDisk(words: string): boolean {
  const folder = join(stage.home, ".claude/projects");
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const records = files.filter((name) => name.endsWith(".jsonl"));
  return records.some((name) => readFileSync(join(folder, name), "utf8").includes(words));
}

async function changeConfig(from: string, to: string): Promise<void> {
  const text = await readFile(stage.configFile, "utf8");
  expect(text).toContain(from);
  await writeFile(stage.configFile, text.replace(from, to));
}

test("a prompt and /new at once: nothing runs, and nothing stays open", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  ann.sends(chat, "hello there");
  ann.sends(chat, "/new");
  await stage.start();
  await chat.untilMessage("fresh conversation");
  await eventually(() => openTurns() === 0 && liveProcesses() === 0, "everything to be closed");
});

test("/new while Claude has not read the prompt yet: the prompt is gone for good", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ text: "The old answer." }], "old work"));
  await eventually(() => Number.isInteger(leader()), "the process to start");
  process.kill(-leader(), "SIGSTOP");
  ann.sends(chat, "/new");
  await chat.untilMessage("fresh conversation");
  await eventually(() => liveProcesses() === 0 && openTurns() === 0, "the old process to end");
  ann.sends(chat, script([{ text: "The new answer." }]));
  await chat.untilMessage("The new answer.");
  expect(JSON.stringify(model.requests())).not.toContain("old work");
});

test("/new while a question waits: the next text is a prompt, and no card tells of a failure", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  const bot = await stage.start();
  const questions = [
    {
      question: "Which colour?",
      header: "Colour",
      multiSelect: false,
      options: [
        { label: "red", description: "" },
        { label: "blue", description: "" },
      ],
    },
  ];
  ann.sends(
    chat,
    script([{ tools: [{ name: "AskUserQuestion", input: { questions } }] }, { text: "Never said." }]),
  );
  await chat.untilMessage(({ buttons }) => buttons.flat().some(({ text }) => text.includes("blue")));
  await bot.kill();
  ann.sends(chat, "/new");
  ann.sends(chat, script([{ text: "On the login page." }]));
  await stage.start();
  await chat.untilMessage("On the login page.");
  await eventually(() => liveProcesses() === 1 && openTurns() === 0, "the old process to end");
  expect(chat.fromBot().filter(({ text }) => /could not finish|Failed/.test(text))).toEqual([]);
});

test("a crash with one prompt begun and another unread: the first is said to be cut off, the second goes on", async () => {
  stage = await setStage({ claude: 'allowed_tools = ["Bash"]' });
  const { ann, chat, model } = stage;
  await stage.start();
  const first = [
    { tools: [{ name: "Bash", input: { command: "true" } }] },
    { wait: "later" },
    { text: "First." },
  ];
  ann.sends(chat, script(first, "first work"));
  await model.reached("later");
  await eventually(
    () => count("SELECT 1 FROM prompts WHERE state = 'taken'") === 1,
    "the first prompt to be taken",
  );
  ann.sends(chat, script([{ text: "Second." }], "second work"));
  await eventually(
    () => count("SELECT 1 FROM prompts WHERE state = 'sent'") === 1,
    "the second prompt to be sent",
  );
  process.kill(-leader(), "SIGKILL");
  const notice = await chat.untilMessage("ended in the middle");
  expect(notice.buttons.flat().map(({ text }) => text)).toEqual(["Try again"]);
  await chat.untilMessage("Second.");
  await eventually(() => openTurns() === 0, "the turn to close");
});

test("a mode that skips every question ends with the config that allowed it", async () => {
  stage = await setStage({ claude: "idle_minutes = 0.02\ndangerously_skip_permissions = true" });
  const { ann, chat, project } = stage;
  // Claude refuses this mode to root, unless it is told that it runs in a sandbox.
  await changeConfig("[claude.env]", '[claude.env]\nIS_SANDBOX = "1"');
  const bot = await stage.start();
  ann.sends(chat, script([{ text: "Ready." }]));
  await chat.untilMessage("Ready.");
  await eventually(() => bot.log().includes("claude.stopped"), "the session to end");
  await bot.terminate();
  await changeConfig("dangerously_skip_permissions = true", "dangerously_skip_permissions = false");
  await stage.start();
  ann.sends(
    chat,
    script([{ tools: [{ name: "Bash", input: { command: "touch made.txt" } }] }, { text: "Fine." }]),
  );
  const card = await chat.untilMessage(({ buttons }) => buttons.flat().some(({ text }) => text === "Deny"));
  await ann.taps(card, "Deny").toast();
  await chat.untilMessage("Fine.");
  expect(existsSync(join(project, "made.txt"))).toBe(false);
});

test("a process that hangs while it is ended, and a bot that is killed meanwhile: the next bot ends it", async () => {
  stage = await setStage({ claude: "idle_minutes = 0.02" });
  const { ann, chat } = stage;
  const bot = await stage.start();
  ann.sends(chat, script([{ text: "One." }]));
  await chat.untilMessage("One.");
  // Claude writes its conversation down a moment after it has answered; only then is there something to go on with.
  await eventually(() => keptOnDisk('"type":"assistant"'), "the conversation to be on disk");
  process.kill(-leader(), "SIGSTOP");
  await eventually(
    () => count("SELECT 1 FROM processes WHERE state = 'ending'") === 1,
    "the end to be asked for",
  );
  await bot.kill();
  await stage.start();
  ann.sends(chat, script([{ text: "Two." }]));
  await chat.untilMessage("Two.");
});

test("a store that cannot be written to for a while loses no answer", async () => {
  stage = await setStage();
  const { ann, chat, model, stateDir } = stage;
  const bot = await stage.start();
  ann.sends(chat, script([{ wait: "later" }, { text: "The answer." }]));
  await model.reached("later");
  const db = new Database(join(stateDir, "signoff.db"));
  db.exec("BEGIN IMMEDIATE");
  model.open("later");
  await eventually(() => bot.log().includes("claude.lines_not_taken"), "the bot to meet the lock");
  db.exec("ROLLBACK");
  db.close();
  await chat.untilMessage("The answer.");
});

test("a project that is taken out of the config: the thread goes on in the default one", async () => {
  stage = await setStage({ claude: "idle_minutes = 0.02", config: '[projects.old]\npath = "."' });
  const { ann, chat } = stage;
  const bot = await stage.start();
  ann.sends(chat, "/project old");
  await chat.untilMessage("now works in old");
  ann.sends(chat, script([{ text: "In the old one." }]));
  await chat.untilMessage("In the old one.");
  await eventually(() => bot.log().includes("claude.stopped"), "the session to end");
  await bot.terminate();
  await changeConfig('[projects.old]\npath = "."', "");
  await stage.start();
  ann.sends(chat, script([{ text: "In the new one." }]));
  await chat.untilMessage("In the new one.");
  ann.sends(chat, "/status");
  expect((await chat.untilMessage("Project:")).text).toContain("web");
});
