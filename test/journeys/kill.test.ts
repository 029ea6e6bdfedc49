import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { script } from "../support/model/script.ts";
import { bytesArrived } from "../support/read-store.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const touchMade = { tools: [{ name: "Bash", input: { command: "touch made.txt" } }] };

test("kill -9 while a request waits: the card is still alive afterwards", async () => {
  stage = await setStage();
  const { ann, chat, project } = stage;
  const bot = await stage.start();
  ann.sends(chat, script([touchMade, { text: "Made." }]));
  const card = await chat.untilMessage("touch made.txt");
  await bot.kill();
  await stage.start();
  expect((await ann.taps(card, "Allow").toast()).text).toBe("Allowed");
  await chat.untilMessage("Made.");
  expect(existsSync(join(project, "made.txt"))).toBe(true);
  await chat.untilMessage((message) => message.id === card.id && message.text.includes("Allowed by Ann"));
});

test("kill -9 right after a tap: the decision stands, the command runs once, the answer comes", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  const bot = await stage.start();
  ann.sends(
    chat,
    script([{ tools: [{ name: "Bash", input: { command: "echo x >> made.txt" } }] }, { text: "Made." }]),
  );
  const card = await chat.untilMessage("echo x >> made.txt");
  const tap = ann.taps(card, "Allow");
  await tap.toast();
  await bot.kill();
  await stage.start();
  await chat.untilMessage("Made.");
  expect((await stat(join(stage.project, "made.txt"))).size).toBe(2);
});

test("a tap made while the bot is dead counts when it is back", async () => {
  stage = await setStage();
  const { ann, chat, project } = stage;
  const bot = await stage.start();
  ann.sends(chat, script([touchMade, { text: "Made." }]));
  const card = await chat.untilMessage("touch made.txt");
  await bot.kill();
  ann.taps(card, "Allow");
  await stage.start();
  await chat.untilMessage("Made.");
  expect(existsSync(join(project, "made.txt"))).toBe(true);
});

test("kill -9 in the middle of a 3 MB prompt: the torn line is completed, and the prompt is done once", async () => {
  stage = await setStage();
  const { ann, chat, model, stateDir } = stage;
  const bot = await stage.start();
  ann.sends(chat, script([{ text: "Ready." }]));
  await chat.untilMessage("Ready.");
  const before = bytesArrived(stateDir);
  // A paste of 3 MB is some 750 messages; they all become one prompt.
  const words = "loremipsum;".repeat(260_000);
  ann.pastes(chat, `${words}${script([{ text: "Read all of it." }])}`);
  await eventually(() => bytesArrived(stateDir) > before + 1_000, "a part of the prompt to arrive");
  await bot.kill();
  const torn = bytesArrived(stateDir) - before;
  await stage.start();
  await chat.untilMessage("Read all of it.");
  expect(torn).toBeLessThan(words.length);
  const told = model.requests().filter((request) => JSON.stringify(request).includes("Read all of it."));
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told[0]).split("loremipsum").length - 1).toBe(260_000);
});

test("SIGTERM: the bot goes, Claude works on, and the next bot takes up its answer", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  const bot = await stage.start();
  ann.sends(chat, script([{ wait: "later" }, { text: "Worked on alone." }]));
  await model.reached("later");
  expect(await bot.terminate()).toBe(0);
  expect((await stage.marked()).length).toBeGreaterThan(0);
  model.open("later");
  await stage.start();
  await chat.untilMessage("Worked on alone.");
});

test("signoff stop --all leaves no process, and a session goes on afterwards where it was", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  const bot = await stage.start();
  ann.sends(chat, script([{ text: "Known." }]));
  await chat.untilMessage("Known.");
  ann.sends(
    chat,
    script([{ tools: [{ name: "Bash", input: { command: "touch made.txt" } }] }, { text: "Never." }]),
  );
  const card = await chat.untilMessage("touch made.txt");
  const stopped = await stage.signoff("stop", "--all");
  expect(stopped.code).toBe(0);
  expect(await bot.exited).toBe(0);
  expect(await stage.marked()).toEqual([]);
  await stage.start();
  await chat.untilMessage((message) => message.id === card.id && message.buttons.length === 0);
  ann.sends(chat, script([{ text: "Back." }]));
  await chat.untilMessage("Back.");
  expect(JSON.stringify(model.requests().at(-1))).toContain("Known.");
});
