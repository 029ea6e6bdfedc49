import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { script } from "../support/model/script.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const plan = "# The plan\n\n1. read the code\n2. change it\n";
const writePlan = { tools: [{ name: "Write", input: { file_path: "$PLANFILE", content: plan } }] };
const exitPlan = { tools: [{ name: "ExitPlanMode", input: {} }] };
const outline = `Here is the outline. ${"Step by step we look, change and test. ".repeat(8)}`;

test("the whole plan is shown; Approve leaves plan mode and Claude goes on", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, "/planmode on");
  await chat.untilMessage(/Plan mode: on/i);
  ann.sends(
    chat,
    script([
      writePlan,
      exitPlan,
      { tools: [{ name: "Bash", input: { command: "touch made.txt" } }] },
      { text: "Built." },
    ]),
  );
  const card = await chat.untilMessage((message) =>
    message.buttons.flat().some((button) => button.text === "Approve"),
  );
  expect(card.buttons.flat().map((button) => button.text)).toEqual([
    "Approve",
    "Deny",
    "Pause & Outline Plan",
    "Approve & accept edits",
  ]);
  expect(
    chat
      .fromBot()
      .map((message) => message.text)
      .join("\n"),
  ).toContain("read the code");
  expect((await ann.taps(card, "Approve").toast()).text).toBe("Approved");
  const request = await chat.untilMessage("touch made.txt");
  await ann.taps(request, "Allow").toast();
  await chat.untilMessage("Built.");
  expect(existsSync(join(stage.project, "made.txt"))).toBe(true);
  expect(JSON.stringify(model.requests().at(-1))).toContain("approved your plan");
});

test("Pause & Outline Plan: a plan without an outline is sent back by itself, one with an outline is shown with it", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, "/planmode on");
  await chat.untilMessage(/Plan mode: on/i);
  ann.sends(
    chat,
    script([writePlan, exitPlan, exitPlan, { text: outline, ...exitPlan }, { text: "Going." }]),
  );
  const card = await chat.untilMessage((message) =>
    message.buttons.flat().some((button) => button.text === "Pause & Outline Plan"),
  );
  expect((await ann.taps(card, "Pause & Outline Plan").toast()).text).toBe("Outlining plan…");
  const outlined = await chat.untilMessage((message) =>
    message.buttons.flat().some((button) => button.text === "Let's discuss"),
  );
  expect(outlined.buttons.flat().map((button) => button.text)).toEqual([
    "Approve",
    "Deny",
    "Let's discuss",
    "Approve & accept edits",
  ]);
  expect(
    chat
      .fromBot()
      .map((message) => message.text)
      .join("\n"),
  ).toContain("Here is the outline.");
  const told = model.lastToolResults().join("\n");
  expect(told).toContain("Sent back automatically");
  expect((await ann.taps(outlined, "Approve").toast()).text).toBe("Approved");
  await chat.untilMessage("Going.");
});

test("a turn that ends with the outline alone gets the card; Approve leaves plan mode and says go ahead", async () => {
  stage = await setStage();
  const { ann, chat, model, telegram } = stage;
  await stage.start();
  ann.sends(chat, "/planmode on");
  await chat.untilMessage(/Plan mode: on/i);
  ann.sends(chat, script([writePlan, exitPlan, { text: outline }]));
  const card = await chat.untilMessage((message) =>
    message.buttons.flat().some((button) => button.text === "Pause & Outline Plan"),
  );
  await ann.taps(card, "Pause & Outline Plan").toast();
  const outlined = await chat.untilMessage((message) =>
    message.buttons.flat().some((button) => button.text === "Let's discuss"),
  );
  await ann.taps(outlined, "Approve").toast();
  await telegram.until(
    () => model.timesTold("The plan is approved. Go ahead.") === 1,
    "Claude to be told to go ahead",
  );
  ann.sends(chat, "/planmode");
  const state = await chat.untilMessage(/runs in mode default/);
  expect(state.text).toMatch(/Plan mode: on/i);
});

test("/planmode auto approves at once and shows the plan as read", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  await stage.start();
  ann.sends(chat, "/planmode auto");
  await chat.untilMessage(/Plan mode: auto/i);
  ann.sends(chat, script([writePlan, exitPlan, { text: "Went on." }]));
  await chat.untilMessage("Went on.");
  const shown = await chat.untilMessage("read the code");
  expect(shown.buttons).toEqual([]);
});

test("/planmode takes effect on a live session at once", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ text: "Ready." }]));
  await chat.untilMessage("Ready.");
  ann.sends(chat, "/planmode on");
  await chat.untilMessage(/Plan mode: on/i);
  ann.sends(chat, script([{ text: "Planning now." }]));
  await chat.untilMessage("Planning now.");
  expect(JSON.stringify(model.requests().at(-1))).toContain("Plan mode is active");
});

test("Approve & accept edits: the plan is approved, and file changes are not asked about any more", async () => {
  stage = await setStage();
  const { ann, chat, project } = stage;
  await stage.start();
  ann.sends(chat, "/planmode on");
  await chat.untilMessage(/Plan mode: on/i);
  const edit = { tools: [{ name: "Write", input: { file_path: "made.txt", content: "x" } }] };
  ann.sends(chat, script([writePlan, exitPlan, edit, { text: "Written." }]));
  const card = await chat.untilMessage(({ buttons }) =>
    buttons.flat().some(({ text }) => text === "Approve & accept edits"),
  );
  expect((await ann.taps(card, "Approve & accept edits").toast()).text).toBe("Approved, edits accepted");
  await chat.untilMessage("Written.");
  expect(existsSync(join(project, "made.txt"))).toBe(true);
});
