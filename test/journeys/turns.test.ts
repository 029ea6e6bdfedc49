import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { script } from "../support/model/script.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

test("a message while Claude works steers the same process, and a reaction shows that it was read", async () => {
  stage = await setStage();
  const { ann, chat, model, telegram } = stage;
  await stage.start();
  ann.sends(
    chat,
    script(
      [{ wait: "tool" }, { tools: [{ name: "Bash", input: { command: "true" } }] }, { text: "The end." }],
      "Work.",
    ),
  );
  await model.reached("tool");
  const steering = ann.sends(chat, "mind the tests");
  await telegram.until(
    () => chat.message(steering.id)?.reactions.includes("👀"),
    "the steering message to be seen",
  );
  model.open("tool");
  await chat.untilMessage("The end.");
  await telegram.until(
    () => chat.message(steering.id)?.reactions.includes("👌"),
    "the steering message to be read",
  );
  expect(JSON.stringify(model.requests().at(-1)).split("mind the tests")).toHaveLength(2);
});

test("a background task's end starts a turn by itself, and it is shown as it comes", async () => {
  stage = await setStage({ claude: 'allowed_tools = ["Bash"]' });
  const { ann, chat } = stage;
  await stage.start();
  ann.sends(
    chat,
    script([
      { tools: [{ name: "Bash", input: { command: "sleep 1; echo late", run_in_background: true } }] },
      { text: "It runs in the background." },
      { text: "The background task is over." },
    ]),
  );
  await chat.untilMessage("It runs in the background.");
  const late = await chat.untilMessage("The background task is over.");
  expect(late.text).toContain("background");
});

test("/cancel while a request waits: the card closes, the turn stops, and the next message goes on", async () => {
  stage = await setStage();
  const { ann, chat, project } = stage;
  await stage.start();
  ann.sends(
    chat,
    script([{ tools: [{ name: "Bash", input: { command: "touch made.txt" } }] }, { text: "Never said." }]),
  );
  const card = await chat.untilMessage("touch made.txt");
  ann.sends(chat, "/cancel");
  await chat.untilMessage("Stopped by Ann");
  const closed = await chat.untilMessage((message) => message.id === card.id && message.buttons.length === 0);
  expect(closed.text).toMatch(/withdrawn|no longer/i);
  expect((await ann.taps(card, "Allow").toast()).text).toBe("Claude no longer needs this.");
  ann.sends(chat, script([{ text: "Here again." }]));
  await chat.untilMessage("Here again.");
  expect(existsSync(join(project, "made.txt"))).toBe(false);
});

test("a text while a request waits is held; Deny and send this denies and passes it on", async () => {
  stage = await setStage();
  const { ann, chat, model, project } = stage;
  await stage.start();
  ann.sends(
    chat,
    script([{ tools: [{ name: "Bash", input: { command: "touch made.txt" } }] }, { text: "Then so." }]),
  );
  await chat.untilMessage("touch made.txt");
  ann.sends(chat, "no, look at the readme first");
  const held = await chat.untilMessage("reads this after you answer");
  expect(model.timesTold("look at the readme first")).toBe(0);
  expect((await ann.taps(held, "Deny and send this").toast()).text).toBe("Denied, and sent");
  await chat.untilMessage("Then so.");
  await chat.untilMessage((message) => message.id === held.id && message.text.includes("Claude has it now"));
  expect(JSON.stringify(model.requests().at(-1)).split("look at the readme first")).toHaveLength(2);
  expect(existsSync(join(project, "made.txt"))).toBe(false);
});

test("an idle session ends by itself, and the next prompt resumes it where it was", async () => {
  stage = await setStage({ claude: "idle_minutes = 0.02" });
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ text: "First answer." }]));
  await chat.untilMessage("First answer.");
  await eventually(() => stage.bot().log().includes("claude.stopped"), "the session to end");
  expect(await stage.marked()).toEqual([]);
  ann.sends(chat, script([{ text: "Second answer." }]));
  await chat.untilMessage("Second answer.");
  expect(JSON.stringify(model.requests().at(-1))).toContain("First answer.");
});

test("/clear reaches Claude and starts its conversation anew; the session goes on after a restart", async () => {
  stage = await setStage({ claude: "idle_minutes = 0.02" });
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ text: "Before the clearing." }]));
  await chat.untilMessage("Before the clearing.");
  ann.sends(chat, "/clear");
  await chat.untilMessage("/clear is done.");
  ann.sends(chat, script([{ text: "After the clearing." }]));
  await chat.untilMessage("After the clearing.");
  expect(JSON.stringify(model.requests().at(-1))).not.toContain("Before the clearing.");
  await eventually(() => stage.bot().log().includes("claude.stopped"), "the session to end");
  ann.sends(chat, script([{ text: "Resumed." }]));
  await chat.untilMessage("Resumed.");
  const told = JSON.stringify(model.requests().at(-1));
  expect(told).toContain("After the clearing.");
  expect(told).not.toContain("Before the clearing.");
});

test("/new forgets the conversation", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ text: "The old one." }]));
  await chat.untilMessage("The old one.");
  ann.sends(chat, "/new");
  await chat.untilMessage("fresh conversation");
  ann.sends(chat, script([{ text: "The new one." }]));
  await chat.untilMessage("The new one.");
  expect(JSON.stringify(model.requests().at(-1))).not.toContain("The old one.");
});

test("a paste that Telegram cut is one prompt", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  const long = `${"word ".repeat(1800)}END ${script([{ text: "Read it all." }])}`;
  ann.pastes(chat, long);
  await chat.untilMessage("Read it all.");
  const prompts = model.requests().filter((request) => JSON.stringify(request).includes("END"));
  expect(prompts.length).toBeGreaterThan(0);
  expect(chat.fromBot().filter((message) => /Read it all/.test(message.text))).toHaveLength(1);
});
