import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Chat } from "../support/bot-api/chat-control.ts";
import type { SeenMessage } from "../support/bot-api/seen-message.ts";
import { eventually } from "../support/eventually.ts";
import { script } from "../support/model/script.ts";
import { queryStore } from "../support/read-store.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;

const touch = (file: string) => ({ tools: [{ name: "Bash", input: { command: `touch ${file}` } }] });

/** Every message that shows this request, whether it still waits or not. */
const cardsAbout = (chat: Chat, file: string): SeenMessage[] =>
  chat.fromBot().filter(({ text }) => /^(✅|❌|💻)/u.test(text) && text.includes(`touch ${file}`));

/** A call that carries a card with the buttons of a request. */
const isRequestCard = (params: Record<string, unknown>): boolean => JSON.stringify(params).includes('"Deny"');

/** True once the bot has written down that this text is to be said. */
const isInOutbox = (text: string): boolean =>
  queryStore<{ payload: string }>(stage.stateDir, "SELECT payload FROM outbox").some(({ payload }) =>
    payload.includes(text),
  );

describe("with a bot of its own", () => {
  afterEach(() => stage.close());

  test("a storm of 429s in one chat: all arrives there in order in the end, and another chat is not held up", async () => {
    stage = await setStage();
    const { ann, chat, telegram, model } = stage;
    const group = telegram.group({ id: -1001, members: [ann], bot: "administrator" });
    await stage.start();
    ann.sends(group, "/enable");
    await ann.taps(await group.untilMessage("Everybody in this group"), "Enable here").toast();
    telegram.flood.on();
    const inChat = (params: Record<string, unknown>): boolean => Number(params["chat_id"]) === chat.id;
    for (const method of ["sendMessage", "editMessageText", "setMessageReaction"])
      telegram.faults.always(method, { kind: "429", retryAfter: 1, when: inChat });

    ann.sends(chat, script([touch("made.txt"), { wait: "storm" }, { text: longAnswer }]));
    ann.sends(group, script([{ text: "The group has its answer." }]));
    await group.untilMessage("The group has its answer.");
    await eventually(() => isInOutbox("touch made.txt"), "the request to be asked");
    expect(chat.fromBot()).toEqual([]);

    telegram.faults.clear();
    telegram.faults.next("answerCallbackQuery", { kind: "429", retryAfter: 1 });
    const card = await chat.untilMessage("touch made.txt");
    ann.taps(card, "Allow");
    await model.reached("storm");
    telegram.faults.next("sendMessage", { kind: "429", retryAfter: 1, times: 3, when: inChat });
    telegram.faults.next("editMessageText", { kind: "429", retryAfter: 1, times: 3, when: inChat });
    model.open("storm");
    await chat.untilMessage(`line ${lineCount} `);
    const lines = chat.fromBot().flatMap(({ text }) => [...text.matchAll(/^line (\d+) /gm)]);
    expect(lines.map(([, number]) => Number(number))).toEqual(
      Array.from({ length: lineCount }, (_, i) => i + 1),
    );
    await chat.untilMessage((message) => message.id === card.id && message.text.includes("Allowed by Ann"));
  });

  test("the network is lost before the final answer: it arrives when the network is back", async () => {
    stage = await setStage();
    const { ann, chat, telegram, model } = stage;
    await stage.start();
    ann.sends(chat, script([{ wait: "answer" }, { text: "Through the gap." }]));
    await model.reached("answer");
    await telegram.network.down();
    model.open("answer");
    await eventually(() => isInOutbox("Through the gap."), "the answer to be written down");
    expect(chat.fromBot().filter(({ text }) => text.includes("Through the gap."))).toEqual([]);
    await telegram.network.up();
    await chat.untilMessage("Through the gap.");
    ann.sends(chat, script([{ text: "And on it goes." }]));
    await chat.untilMessage("And on it goes.");
    expect(chat.fromBot().filter(({ text }) => text.includes("Through the gap."))).toHaveLength(1);
  });

  test("Telegram is out of reach at the start: Claude's work is taken up meanwhile, and told when it is back", async () => {
    stage = await setStage();
    const { ann, chat, telegram, model } = stage;
    const bot = await stage.start();
    ann.sends(chat, script([{ wait: "alone" }, { text: "Worked on alone." }]));
    await model.reached("alone");
    await bot.kill();
    await telegram.network.down();
    model.open("alone");
    stage.launch();
    await eventually(() => isInOutbox("Worked on alone."), "the answer to be read");
    await telegram.network.up();
    await chat.untilMessage("Worked on alone.");
    expect(stage.bot().log()).toContain("telegram.unreachable");
  });

  test("a token that Telegram refuses ends the start with one clear line, in which the token is not", async () => {
    stage = await setStage();
    const wrong = "987654321:AAwrong-token_that-Telegram-does-not-know";
    const config = await readFile(stage.configFile, "utf8");
    await writeFile(stage.configFile, config.replace(stage.telegram.token, wrong));
    const { code, out, err } = await stage.signoff("start");
    expect(code).toBe(2);
    const [refusal, ...others] = err.split("\n").filter((line) => line.includes("telegram.refused"));
    expect(refusal).toContain("Check telegram.token");
    expect(others).toEqual([]);
    expect(`${out}${err}`).not.toContain(wrong.split(":")[1]);
  });
});

describe("with one bot for all", () => {
  beforeAll(async () => {
    stage = await setStage();
    await stage.start();
  });
  afterAll(() => stage.close());

  test("502 for a request's card: it is sent again, and once", async () => {
    const { ann, chat, telegram, project } = stage;
    telegram.faults.next("sendMessage", { kind: "502html", when: isRequestCard });
    ann.sends(chat, script([touch("gateway.txt"), { text: "After the gateway." }]));
    const card = await chat.untilMessage("touch gateway.txt");
    expect((await ann.taps(card, "Allow").toast()).text).toBe("Allowed");
    await chat.untilMessage("After the gateway.");
    expect(existsSync(join(project, "gateway.txt"))).toBe(true);
    expect(cardsAbout(chat, "gateway.txt")).toHaveLength(1);
  });

  test("a request's card whose answer is lost comes twice at most; a tap on the first ends both", async () => {
    const { ann, chat, telegram, project } = stage;
    telegram.faults.next("sendMessage", { kind: "reset_after", when: isRequestCard });
    ann.sends(chat, script([touch("doubt.txt"), { text: "No doubt." }]));
    const [stray] = await telegram.until(() => {
      const cards = cardsAbout(chat, "doubt.txt");
      return cards.length === 2 && cards;
    }, "both cards");
    if (stray === undefined) throw new Error("no card");
    expect((await ann.taps(stray, "Allow").toast()).text).toBe("Allowed");
    await chat.untilMessage("No doubt.");
    expect(existsSync(join(project, "doubt.txt"))).toBe(true);
    await telegram.until(
      () => cardsAbout(chat, "doubt.txt").every((card) => card.buttons.length === 0),
      "both cards to end",
    );
    expect(cardsAbout(chat, "doubt.txt")).toHaveLength(2);
  });

  test("after a tap on the second of two such cards, the first one says so and ends too", async () => {
    const { ann, chat, telegram, project } = stage;
    telegram.faults.next("sendMessage", { kind: "reset_after", when: isRequestCard });
    ann.sends(chat, script([touch("stray.txt"), { text: "Astray no more." }]));
    const [stray, known] = await telegram.until(() => {
      const cards = cardsAbout(chat, "stray.txt");
      return cards.length === 2 && cards;
    }, "both cards");
    if (stray === undefined || known === undefined) throw new Error("no card");
    expect((await ann.taps(known, "Deny").toast()).text).toBe("Denied");
    expect((await ann.taps(stray, "Allow").toast()).text).toBe("Already denied by Ann.");
    await chat.untilMessage("Astray no more.");
    expect(existsSync(join(project, "stray.txt"))).toBe(false);
    await telegram.until(
      () => cardsAbout(chat, "stray.txt").every((card) => card.buttons.length === 0),
      "both cards to end",
    );
  });

  test("an update that comes twice is done once", async () => {
    const { ann, chat, telegram, model } = stage;
    telegram.deliverTwice();
    ann.sends(chat, script([{ text: "Told once." }], "Do this once."));
    const deliveries = () =>
      telegram
        .calls("getUpdates")
        .filter(({ answer }) => JSON.stringify(answer ?? "").includes("Do this once."));
    await telegram.until(() => deliveries().length === 2, "the second delivery");
    await chat.untilMessage("Told once.");
    ann.sends(chat, script([{ text: "Next." }]));
    await chat.untilMessage("Next.");
    expect(model.timesTold("Do this once.")).toBe(1);
  });

  test("another poller with the same token: the log says what to do, and the bot goes on", async () => {
    const { ann, chat, telegram } = stage;
    const intruder = fetch(`${telegram.root}/bot${telegram.token}/getUpdates?timeout=50`);
    await eventually(() => stage.bot().log().includes("telegram.conflict"), "the conflict to be told");
    expect(stage.bot().log()).toContain("Another program polls with this token");
    // Our next poll sends the other one away, so the message that follows is ours.
    expect((await intruder).status).toBe(409);
    ann.sends(chat, script([{ text: "Still here." }]));
    await chat.untilMessage("Still here.");
  });

  test("an update that cannot be read touches nothing else", async () => {
    const { ann, chat } = stage;
    const from = ann.user;
    ann.sendsUpdate({ message: { message_id: 90_001, date: 1, from, text: "no chat" } });
    ann.sendsUpdate({
      message: {
        message_id: 90_002,
        date: 1,
        from,
        chat: { id: chat.id, type: "private" },
        text: 42,
        entities: 7,
      },
    });
    ann.sendsUpdate({ message: null });
    ann.sendsUpdate({ callback_query: { id: "1", from, message: { chat: 5 }, data: "v1:allow" } });
    ann.sendsUpdate({ of_another_world: { from } });
    ann.sends(chat, script([{ text: "Undisturbed." }]));
    await chat.untilMessage("Undisturbed.");
    expect(stage.bot().log()).toContain("inbox.update_failed");
  });

  test("a tap that is answered too late has still decided", async () => {
    const { ann, chat, telegram, project } = stage;
    ann.sends(chat, script([touch("late.txt"), { text: "Late is fine." }]));
    const card = await chat.untilMessage("touch late.txt");
    telegram.callbackExpiry(-1);
    const tap = ann.taps(card, "Allow");
    await chat.untilMessage("Late is fine.");
    telegram.callbackExpiry(60_000);
    expect(tap.answer()).toBeUndefined();
    expect(existsSync(join(project, "late.txt"))).toBe(true);
    await chat.untilMessage((message) => message.id === card.id && message.text.includes("Allowed by Ann"));
  });
});

const lineCount = 120;
/** Some three messages long; its lines are numbered. */
const longAnswer = Array.from(
  { length: lineCount },
  (_, index) => `line ${index + 1} ${"of a long answer ".repeat(4)}`,
).join("\n\n");
