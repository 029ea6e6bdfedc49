import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Chat } from "../support/bot-api/chat-control.ts";
import { eventually } from "../support/eventually.ts";
import { script } from "../support/model/script.ts";
import { queryStore } from "../support/read-store.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;

const touch = (file: string) => ({ tools: [{ name: "Bash", input: { command: `touch ${file}` } }] });

/** Lets the bot work in a group, as Ann would. */
async function enable(group: Chat): Promise<void> {
  stage.ann.sends(group, "/enable");
  await stage.ann.taps(await group.untilMessage("Everybody in this group"), "Enable here").toast();
  await group.untilMessage("Enabled.");
}

/** Everything sent to the bot before this has been handled once it returns. */
async function afterAllThat(): Promise<void> {
  const { ann, chat } = stage;
  const asked = ann.sends(chat, "/planmode show");
  await chat.untilMessage("Plan mode", asked);
}

/** What of a chat's messages is still to be sent. */
const unsent = (chatId: number): unknown[] =>
  queryStore(
    stage.stateDir,
    `SELECT o.id FROM outbox o JOIN threads t ON t.id = o.thread_id
     WHERE t.chat_id = ${chatId} AND o.state IN ('queued', 'sending')`,
  );

describe("in one bot's chats", () => {
  beforeAll(async () => {
    stage = await setStage({ claude: "idle_minutes = 0.2" });
    await stage.start();
  });
  afterAll(() => stage.close());

  test("strangers get nothing, and their taps a toast", async () => {
    const { ann, chat, telegram, model, project } = stage;
    const eve = telegram.user({ id: 666, first_name: "Eve" });
    const hers = telegram.privateChat(eve);
    eve.sends(hers, script([{ text: "Never for Eve." }], "Eve was here."));
    for (const command of ["/start", "/status", "/enable", "/pending"]) eve.sends(hers, command);
    eve.sends(hers, "", { media: "photo" });
    ann.sends(chat, script([touch("mine.txt"), { text: "Ann's own." }]));
    const card = await chat.untilMessage("touch mine.txt");
    expect((await eve.taps(card, "Allow").toast()).text).toBe("This is not yours to answer.");
    expect(existsSync(join(project, "mine.txt"))).toBe(false);
    await ann.taps(card, "Allow").toast();
    await chat.untilMessage("Ann's own.");
    expect(hers.fromBot()).toEqual([]);
    expect(model.timesTold("Eve was here.")).toBe(0);
  });

  test("a group is served only after /enable by an allowed person, who is warned first", async () => {
    const { ann, telegram, model } = stage;
    const eve = telegram.user({ id: 666, first_name: "Eve" });
    const group = telegram.group({ id: -1001, members: [ann, eve], bot: "administrator" });
    ann.sends(group, script([{ text: "Too early." }], "Before enabling."));
    eve.sends(group, "/enable");
    await afterAllThat();
    expect(group.fromBot()).toEqual([]);

    ann.sends(group, "/enable@signoff_bot");
    const warning = await group.untilMessage("Everybody in this group will be able to read");
    expect((await eve.taps(warning, "Enable here").toast()).text).toBe("This is not yours to answer.");
    expect((await ann.taps(warning, "Enable here").toast()).text).toBe("Enabled");
    await group.untilMessage("Enabled.");
    ann.sends(group, script([{ text: "At your service." }]));
    await group.untilMessage("At your service.");
    expect(model.timesTold("Before enabling.")).toBe(0);
  });

  test("whoever speaks in another's name is not heard: channels, anonymous admins, inline bots, other bots", async () => {
    const { ann, chat, telegram, model } = stage;
    const group = telegram.group({ id: -1002, members: [ann], bot: "administrator" });
    const robot = telegram.user({ id: 900, first_name: "Robot", is_bot: true });
    await enable(group);
    const words = script([{ text: "Fooled." }], "In another's name.");
    ann.sends(group, words, { senderChat: { id: group.id, type: "supergroup", title: "A group" } });
    ann.sends(group, words, { senderChat: { id: -1009, type: "channel", title: "A channel" } });
    ann.sends(chat, words, { viaBot: robot.user });
    robot.sends(group, words);
    ann.sends(group, "/new@some_other_bot");
    const channel = { id: -1009, type: "channel", title: "A channel" };
    ann.sendsUpdate({ channel_post: { message_id: 1, date: 1, chat: channel, from: ann.user, text: words } });
    ann.sendsUpdate({ message: { message_id: 1, date: 1, chat: channel, from: ann.user, text: words } });
    await afterAllThat();
    ann.sends(group, script([{ text: "In her own name." }]));
    await group.untilMessage("In her own name.");
    expect(model.timesTold("In another's name.")).toBe(0);
    expect(group.fromBot().filter(({ text }) => text.includes("fresh conversation"))).toEqual([]);
  });

  test("two topics of a forum are two threads, with two sessions at work at once", async () => {
    const { ann, telegram, model } = stage;
    const forum = telegram.group({ id: -1003, members: [ann], bot: "administrator", forum: true });
    const one = ann.createsTopic(forum, "One");
    const two = ann.createsTopic(forum, "Two");
    await enable(forum);
    ann.sends(forum, script([{ wait: "one" }, { text: "Answer one." }]), { topic: one });
    ann.sends(forum, script([{ wait: "two" }, { text: "Answer two." }]), { topic: two });
    await Promise.all([model.reached("one"), model.reached("two")]);
    model.open("two");
    expect((await forum.untilMessage("Answer two.")).topic).toBe(two);
    model.open("one");
    expect((await forum.untilMessage("Answer one.")).topic).toBe(one);
    const sessions = new Set(
      model
        .requests()
        .slice(-2)
        .map(({ sessionId }) => sessionId),
    );
    expect(sessions.size).toBe(2);
  });

  test("a forwarded command is quoted to Claude, and not obeyed", async () => {
    const { ann, chat, model, telegram } = stage;
    const eve = telegram.user({ id: 666, first_name: "Eve" });
    ann.sends(chat, `/new\n${script([{ text: "Only a quotation." }])}`, { forwardedFrom: eve.user });
    await chat.untilMessage("Only a quotation.");
    expect(model.timesTold("Forwarded message from Eve:\n> /new")).toBe(1);
    expect(chat.fromBot().filter(({ text }) => text.includes("fresh conversation"))).toEqual([]);
  });

  test("an edit is not read, and neither are photos, voices and files; the person is told so", async () => {
    const { ann, chat, model } = stage;
    const message = ann.sends(chat, script([{ text: "As first said." }], "The first words."));
    await chat.untilMessage("As first said.");
    ann.edits(message, "The second words.");
    await chat.untilMessage("Edits are not read. Send it as a new message.");
    for (const [media, name] of [
      ["photo", "the photo"],
      ["voice", "the voice message"],
      ["document", "the file"],
    ] as const) {
      ann.sends(chat, "The caption's words.", { media });
      await chat.untilMessage(`I can only read text, so Claude did not get ${name}.`);
    }
    ann.sends(chat, script([{ text: "Read on." }]));
    await chat.untilMessage("Read on.");
    expect(model.timesTold("The second words.")).toBe(0);
    expect(model.timesTold("The caption's words.")).toBe(0);
  });

  test("a slash command that is not ours goes to Claude", async () => {
    const { ann, chat, model, telegram } = stage;
    const sent = ann.sends(chat, "/no-such-command please");
    // Older CLIs say themselves that they do not know it; newer ones put it to the model.
    const isToldSo = () =>
      chat.fromBot().some(({ id, text }) => id > sent.id && /unknown.*no-such-command/i.test(text));
    await telegram.until(
      () => isToldSo() || model.timesTold("/no-such-command please") === 1,
      "Claude to get the command",
    );
  });

  test("a paste whose last piece is full as well is one prompt all the same", async () => {
    const { ann, chat, model } = stage;
    const start = `The paste begins. ${script([{ text: "Read the paste." }])}`;
    const paste = start.padEnd(2 * 4096, "abcdefg ");
    expect(ann.pastes(chat, paste)).toHaveLength(2);
    await chat.untilMessage("Read the paste.");
    expect(model.timesTold("The paste begins.")).toBe(1);
    expect(model.timesTold(paste.trimEnd())).toBe(1);
  });

  test("a person who blocks the bot ends what is on its way to them; unblocked, all goes on", async () => {
    const { ann, chat, model } = stage;
    ann.sends(chat, script([{ wait: "blocked" }, { text: "Into the void." }]));
    await model.reached("blocked");
    chat.block();
    model.open("blocked");
    await eventually(() => stage.bot().log().includes("outbox.chat_gone"), "the bot to notice");
    await eventually(() => unsent(chat.id).length === 0, "the rows to end");
    chat.unblock();
    ann.sends(chat, script([{ text: "Here again." }]));
    await chat.untilMessage("Here again.");
    expect(chat.fromBot().filter(({ text }) => text.includes("Into the void."))).toEqual([]);
  });

  test("a group that throws the bot out ends what is on its way there, and the owner hears of it in private", async () => {
    const { ann, chat, telegram, model } = stage;
    const group = telegram.group({ id: -1004, members: [ann], bot: "administrator" });
    await enable(group);
    ann.sends(group, script([{ wait: "kicked" }, { text: "To a closed door." }]));
    await model.reached("kicked");
    group.kick();
    model.open("kicked");
    await chat.untilMessage("I cannot write to the group -1004 any more");
    await eventually(() => unsent(group.id).length === 0, "the rows to end");
    ann.sends(chat, script([{ text: "The private chat goes on." }]));
    await chat.untilMessage("The private chat goes on.");
    expect(chat.fromBot().filter(({ text }) => text.includes("cannot write to the group"))).toHaveLength(1);
  });

  test("a group that becomes a supergroup keeps its thread; the waiting card comes anew there, and works", async () => {
    const { ann, telegram, model, project } = stage;
    const group = telegram.group({ id: -55, kind: "group", members: [ann], bot: "administrator" });
    await enable(group);
    ann.sends(group, script([{ text: "Before the move." }]));
    await group.untilMessage("Before the move.");
    ann.sends(group, script([touch("moved.txt"), { text: "After the move." }]));
    await group.untilMessage("touch moved.txt");
    const supergroup = telegram.migrate(group, -1005);
    const card = await supergroup.untilMessage("touch moved.txt");
    expect((await ann.taps(card, "Allow").toast()).text).toBe("Allowed");
    await supergroup.untilMessage("After the move.");
    expect(existsSync(join(project, "moved.txt"))).toBe(true);
    await supergroup.untilMessage((message) => message.id === card.id && message.text.includes("Allowed by"));
    ann.sends(supergroup, script([{ text: "Settled in." }]));
    await supergroup.untilMessage("Settled in.");
    expect(JSON.stringify(model.requests().at(-1))).toContain("Before the move.");
  });
});

describe("with two projects", () => {
  afterEach(() => stage.close());

  test("/project switches the thread to another folder, and back to where the first conversation was", async () => {
    stage = await setStage();
    const { ann, chat, model, project, configFile } = stage;
    const api = join(project, "..", "api");
    await mkdir(api);
    await writeFile(
      configFile,
      `default_project = "web"\n${await readFile(configFile, "utf8")}[projects.api]\npath = ${JSON.stringify(api)}\n`,
    );
    await stage.start();
    ann.sends(chat, script([{ text: "Said in web." }]));
    await chat.untilMessage("Said in web.");

    ann.sends(chat, "/project");
    const choice = await chat.untilMessage("Which project?");
    expect(choice.buttons.flat().map(({ text }) => text)).toEqual(["✓ web", "api"]);
    expect((await ann.taps(choice, "api").toast()).text).toBe("This chat now works in api.");
    ann.sends(chat, script([touch("here.txt"), { text: "Said in api." }]));
    await ann.taps(await chat.untilMessage("touch here.txt"), "Allow").toast();
    await chat.untilMessage("Said in api.");
    expect(existsSync(join(api, "here.txt"))).toBe(true);
    expect(JSON.stringify(model.requests().at(-1))).not.toContain("Said in web.");

    ann.sends(chat, "/project nowhere");
    await chat.untilMessage('There is no project "nowhere"');
    ann.sends(chat, "/project web");
    await chat.untilMessage("The last conversation there goes on");
    ann.sends(chat, script([{ text: "Back in web." }]));
    await chat.untilMessage("Back in web.");
    const told = JSON.stringify(model.requests().at(-1));
    expect(told).toContain("Said in web.");
    expect(told).not.toContain("Said in api.");
  });
});
