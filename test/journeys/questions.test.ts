import { afterEach, expect, test } from "vitest";
import type { SeenMessage } from "../support/bot-api/seen-message.ts";
import { script } from "../support/model/script.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const question = (text: string, labels: string[], more: { multiSelect?: boolean } = {}) => ({
  question: text,
  header: "Choice",
  multiSelect: false,
  options: labels.map((label) => ({ label, description: `About ${label}` })),
  ...more,
});
const ask = (...questions: ReturnType<typeof question>[]) => ({
  name: "AskUserQuestion",
  input: { questions },
});
const database = question("Which database?", ["Postgres", "SQLite"]);
const extras = question("Which extras?", ["Tests", "Docs", "Logs"], { multiSelect: true });
const title = question("What title?", ["Plain", "Fancy"]);

/** The card of a form as it stands, once it says this. */
const untilCard = (card: Pick<SeenMessage, "id">, says: string): Promise<SeenMessage> =>
  stage.chat.untilMessage((message) => message.id === card.id && message.text.includes(says));

/** A card that can be tapped and says this. */
const untilQuestion = (says: string): Promise<SeenMessage> =>
  stage.chat.untilMessage(({ text, buttons }) => text.includes(says) && buttons.length > 0);

const tap = async (card: SeenMessage, label: string): Promise<string | undefined> =>
  (await stage.ann.taps(card, label).toast()).text;

const labelsOf = ({ buttons }: SeenMessage): string[] => buttons.flat().map(({ text }) => text);

const results = (): string => stage.model.lastToolResults().join("\n");

test("three questions in one card: a tap, ticks with own words, a change by Back, and the summary sends them", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [ask(database, extras, title)] }, { text: "Noted." }]));
  const first = await untilQuestion("1 of 3");
  expect(labelsOf(first)).toEqual(["Postgres", "SQLite", "✍️ Other…", "Skip all"]);
  await tap(first, "Postgres");

  const second = await untilCard(first, "2 of 3");
  expect(await tap(second, "Submit")).toBe(
    "Nothing is chosen yet. Tap at least one option, or write your own.",
  );
  expect(await tap(second, "☐ Logs")).toBe("Ticked");
  expect(await tap(second, "☐ Tests")).toBe("Ticked");
  const ticked = await chat.untilMessage((message) => labelsOf(message).includes("☑ Logs"));
  expect(await tap(ticked, "✍️ Other…")).toBe("Send your answer as a message.");
  const waiting = await untilCard(first, "I wait for your answer");
  expect(labelsOf(waiting)).toEqual(["Never mind"]);
  const words = ann.sends(chat, "and a changelog");

  const third = await untilCard(first, "3 of 3");
  await stage.telegram.until(() => chat.message(words.id)?.reactions.includes("👌"), "the words to be seen");
  // A late tap on the first question, from the card as it was then.
  expect(await tap(first, "SQLite")).toBe("That question is answered already.");
  await tap(third, "Fancy");

  const summary = await untilCard(first, "Your answers");
  expect(summary.text).toContain("Tests, Logs, and a changelog");
  ann.sends(chat, "one thing more", { replyTo: summary });
  await chat.untilMessage("Everything is answered: tap Send answers, or Back to change one.");
  await tap(summary, "Back");
  await tap(await untilCard(first, "3 of 3"), "Back");
  await tap(await untilCard(first, "2 of 3"), "Back");
  const again = await untilCard(first, "1 of 3");
  expect(labelsOf(again)).toContain("✓ Postgres");
  await tap(again, "SQLite");
  const changed = await untilCard(first, "Your answers");
  expect(await tap(changed, "Send answers")).toBe("Answered");
  await chat.untilMessage("Noted.");
  expect(results()).toContain('"Which database?"="SQLite"');
  expect(results()).toContain('"Which extras?"="Tests, Logs, and a changelog"');
  expect(results()).toContain('"What title?"="Fancy"');

  const over = await untilCard(first, "Answered by Ann");
  expect(over.buttons).toEqual([]);
  expect(over.text).toContain("What title?\nFancy");
  expect(await tap(changed, "Send answers")).toBe("Already answered by Ann.");
});

test("kill -9 in the middle of a form: ticks, answers and the wait for words are all still there", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  const bot = await stage.start();
  ann.sends(chat, script([{ tools: [ask(database, extras)] }, { text: "Noted." }]));
  const first = await untilQuestion("1 of 2");
  await tap(first, "SQLite");
  const second = await untilCard(first, "2 of 2");
  await tap(second, "☐ Docs");
  await tap(second, "✍️ Other…");
  await bot.kill();
  await stage.start();
  await untilCard(first, "I wait for your answer");
  ann.sends(chat, "/etc/motd");
  const summary = await untilCard(first, "Your answers");
  await stage.bot().kill();
  await stage.start();
  expect(await tap(summary, "Send answers")).toBe("Answered");
  await chat.untilMessage("Noted.");
  expect(results()).toContain('"Which database?"="SQLite"');
  expect(results()).toContain('"Which extras?"="Docs, /etc/motd"');
});

test("Skip tells Claude that there is no answer, and Claude goes on", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [ask(database)] }, { text: "I will assume something." }]));
  const card = await untilQuestion("Which database?");
  expect(await tap(card, "Skip")).toBe("Skipped");
  await chat.untilMessage("I will assume something.");
  expect(results()).toContain("They chose not to answer.");
  await untilCard(card, "Skipped by Ann");
});

test("after Never mind a message waits for Claude, and a reply to the card is the answer", async () => {
  stage = await setStage();
  const { ann, chat, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [ask(database)] }, { text: "Noted." }]));
  const card = await untilQuestion("Which database?");
  await tap(card, "✍️ Other…");
  await tap(await untilCard(card, "I wait for your answer"), "Never mind");
  await untilCard(card, "Messages here are not taken as the answer");
  ann.sends(chat, "By the way, hurry.");
  await chat.untilMessage("Claude reads this after you answer");
  ann.sends(chat, "a flat file", { replyTo: card });
  await chat.untilMessage("Noted.");
  await untilCard(card, "Answered by Ann");
  expect(JSON.stringify(model.requests().at(-1))).toContain('\\"Which database?\\"=\\"a flat file\\"');
  expect(model.timesTold("By the way, hurry.")).toBe(1);
});

test("several questions wait at once: a message goes where Other was tapped, a reply to its card, the rest to the oldest", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  await stage.start();
  const forms = ["one", "two", "three"].map((name) => ask(question(`What for ${name}?`, ["This", "That"])));
  ann.sends(chat, script([{ tools: forms }, { text: "All three are heard." }]));
  const oldest = await untilQuestion("What for one?");
  const second = await untilQuestion("What for two?");
  const third = await untilQuestion("What for three?");
  expect(oldest.text).toContain("the next message here is taken as the answer");
  expect(third.text).toContain("A plain message here answers another question");

  await tap(third, "✍️ Other…");
  await untilCard(third, "I wait for your answer");
  await untilCard(oldest, "A plain message here answers another question");
  ann.sends(chat, "for the third");
  await untilCard(third, "for the third");
  ann.sends(chat, "for the second", { replyTo: second });
  await untilCard(second, "for the second");
  await untilCard(oldest, "the next message here is taken as the answer");
  ann.sends(chat, "for the oldest");
  await untilCard(oldest, "for the oldest");
  await chat.untilMessage("All three are heard.");
  expect(results()).toContain('"What for three?"="for the third"');
  expect(results()).toContain('"What for two?"="for the second"');
  expect(results()).toContain('"What for one?"="for the oldest"');
});

test("a question that waits for words in one chat takes none from another", async () => {
  stage = await setStage();
  const { ann, chat, telegram } = stage;
  const group = telegram.group({ id: -1_002, title: "Team", members: [ann], bot: "administrator" });
  await stage.start();
  ann.sends(group, "/enable");
  await ann.taps(await group.untilMessage("Everybody in this group"), "Enable here").toast();
  ann.sends(chat, script([{ tools: [ask(database)] }, { text: "Noted." }]));
  const card = await untilQuestion("Which database?");
  await tap(card, "✍️ Other…");
  await untilCard(card, "I wait for your answer");
  ann.sends(group, script([{ text: "Hello, team." }], "Say hello."));
  await group.untilMessage("Hello, team.");
  ann.sends(chat, "a flat file");
  await chat.untilMessage("Noted.");
  expect(results()).toContain('"Which database?"="a flat file"');
});
