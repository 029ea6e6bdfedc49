import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SeenMessage } from "../support/bot-api/seen-message.ts";
import { eventually } from "../support/eventually.ts";
import { script } from "../support/model/script.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const touch = (file: string) => ({ name: "Bash", input: { command: `touch ${file}` } });
const write = (file: string) => ({ name: "Write", input: { file_path: file, content: "x" } });

/** A card that waits for an answer about this. */
const isRequest = (about: string) => (message: SeenMessage) =>
  message.text.includes(about) && message.buttons.flat().some(({ text }) => text === "Deny");

/** Every card that asked for leave, with what it says now. */
function requestCards({ chat }: Stage): string[] {
  const cards = chat.fromBot().filter(({ text }) => /^(✅|❌|💻|✏️|🧩)/u.test(text));
  return cards.map(({ text }) => text);
}

test("a denied command does not run, and Claude is told so", async () => {
  stage = await setStage();
  const { ann, chat, project, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [touch("made.txt")] }, { text: "As you wish." }]));
  const card = await chat.untilMessage("touch made.txt");
  expect((await ann.taps(card, "Deny").toast()).text).toBe("Denied");
  await chat.untilMessage("As you wish.");
  expect(existsSync(join(project, "made.txt"))).toBe(false);
  expect(model.lastToolResults().join()).toContain("The user denied this.");
  await chat.untilMessage("Denied by Ann");
});

test("a reply to the card denies with the person's own words", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [touch("made.txt")] }, { text: "Understood." }]));
  const card = await chat.untilMessage("touch made.txt");
  ann.sends(chat, "use the src folder instead", { replyTo: card });
  await chat.untilMessage("Understood.");
  expect(model.lastToolResults().join()).toContain("use the src folder instead");
});

test("Always allow names the rule and its reach; Claude enforces it, in later processes of the project too", async () => {
  stage = await setStage({ claude: "idle_minutes = 0.02" });
  const { ann, chat, project } = stage;
  await stage.start();
  const twice = [{ tools: [touch("one.txt")] }, { tools: [touch("one.txt")] }];
  ann.sends(chat, script([...twice, { text: "Twice." }]));
  const card = await chat.untilMessage(isRequest("touch one.txt"));
  expect(card.text).toContain("in this project");
  expect((await ann.taps(card, ({ text }) => text.startsWith("Always allow Bash(touch")).toast()).text).toBe(
    "Always allowed",
  );
  await chat.untilMessage("Twice.");
  await eventually(() => stage.bot().log().includes("claude.stopped"), "the session to end");
  ann.sends(chat, script([{ tools: [touch("one.txt")] }, { text: "And once more." }]));
  await chat.untilMessage("And once more.");
  expect(requestCards(stage)).toEqual([expect.stringContaining("Allowed by Ann")]);
  // The repository is not the place for what its owner allowed.
  expect(existsSync(join(project, ".claude"))).toBe(false);
});

test("two subagents ask at once; each has its card, and any order of answers works", async () => {
  stage = await setStage();
  const { ann, chat, project } = stage;
  await stage.start();
  const sub = (file: string) => ({
    name: "Task",
    input: {
      description: `make ${file}`,
      subagent_type: "general-purpose",
      prompt: script([{ tools: [write(file)] }, { text: `made ${file}` }]),
    },
  });
  ann.sends(chat, script([{ tools: [sub("one.txt"), sub("two.txt")] }, { text: "Both are at work." }]));
  const one = await chat.untilMessage((message) => isRequest("one.txt")(message));
  const two = await chat.untilMessage((message) => isRequest("two.txt")(message));
  expect((await ann.taps(two, "Allow").toast()).text).toBe("Allowed");
  expect((await ann.taps(one, "Deny").toast()).text).toBe("Denied");
  await stage.telegram.until(() => existsSync(join(project, "two.txt")), "two.txt to be written");
  await chat.untilMessage((message) => message.id === one.id && message.text.includes("Denied by Ann"));
  expect(existsSync(join(project, "one.txt"))).toBe(false);
});

test("a second tap changes nothing and says who was first; a stranger's tap is refused", async () => {
  stage = await setStage();
  const { ann, chat, telegram, project, model } = stage;
  const eve = telegram.user({ id: 666, first_name: "Eve" });
  await stage.start();
  ann.sends(chat, script([{ tools: [touch("made.txt")] }, { text: "Fine." }]));
  const card = await chat.untilMessage("touch made.txt");
  expect((await eve.taps(card, "Allow").toast()).text).toBe("This is not yours to answer.");
  const first = ann.taps(card, "Deny");
  const second = ann.taps(card, "Allow");
  expect((await first.toast()).text).toBe("Denied");
  expect((await second.toast()).text).toBe("Already denied by Ann.");
  await chat.untilMessage("Fine.");
  expect(existsSync(join(project, "made.txt"))).toBe(false);
  expect(model.lastToolResults().join()).toContain("denied");
});

test("the safe set never reaches outside the project, and our own state is refused unasked", async () => {
  stage = await setStage({ files: { "inside.txt": "in" } });
  const { ann, chat, model, configFile, stateDir } = stage;
  await stage.start();
  const read = (path: string) => ({ name: "Read", input: { file_path: path } });
  ann.sends(
    chat,
    script([
      { tools: [read(join(stage.project, "inside.txt"))] },
      { tools: [read(configFile)] },
      { tools: [read(join(stateDir, "signoff.db"))] },
      { tools: [read("/etc/hostname")] },
      { text: "Read enough." },
    ]),
  );
  // Only the last one comes to the phone: the first needs no leave, the two in between are refused.
  const card = await chat.untilMessage("/etc/hostname");
  await ann.taps(card, "Deny").toast();
  await chat.untilMessage("Read enough.");
  expect(requestCards(stage)).toHaveLength(1);
  expect(JSON.stringify(model.requests().at(-1))).not.toContain(stage.telegram.token);
});

test("/pending lists what waits, and brings a card back to the bottom", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [touch("made.txt")] }, { text: "Fine." }]));
  const card = await chat.untilMessage("touch made.txt");
  ann.sends(chat, "/pending");
  const list = await chat.untilMessage("waits for you");
  const button = list.buttons[0]?.[0];
  if (button === undefined) throw new Error("no button in the list");
  await ann.taps(list, button).toast();
  const again = await chat.untilMessage(
    (message) => message.id > list.id && message.text.includes("touch made.txt"),
  );
  await chat.untilMessage((message) => message.id === card.id && message.buttons.length === 0);
  expect((await ann.taps(again, "Allow").toast()).text).toBe("Allowed");
  await chat.untilMessage("Fine.");
});

test("a question is answered by a tap, and another one by a message", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  const question = (text: string) => ({
    question: text,
    header: "Choice",
    multiSelect: false,
    options: [
      { label: "Postgres", description: "Relational" },
      { label: "SQLite", description: "A file" },
    ],
  });
  const ask = {
    name: "AskUserQuestion",
    input: { questions: [question("Which database?"), question("And which for tests?")] },
  };
  ann.sends(chat, script([{ tools: [ask] }, { text: "Thanks." }]));
  const first = await chat.untilMessage(({ buttons }) =>
    buttons.flat().some(({ text }) => text.includes("SQLite")),
  );
  await ann.taps(first, (button) => button.text.includes("SQLite")).toast();
  await chat.untilMessage("And which for tests?");
  ann.sends(chat, "an in-memory one");
  await ann.taps(await chat.untilMessage("Your answers"), "Send answers").toast();
  await chat.untilMessage("Thanks.");
  expect(model.lastToolResults().join()).toContain('"Which database?"="SQLite"');
  expect(model.lastToolResults().join()).toContain('"And which for tests?"="an in-memory one"');
});
