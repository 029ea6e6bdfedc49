import { Bot } from "grammy";
import type { InlineKeyboardButton } from "grammy/types";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal, type Stage, setStage } from "./bot-api/stage.ts";

let clock: Stage["clock"];
let telegram: Stage["telegram"];
let api: Stage["api"];
let ann: Stage["ann"];
let chat: Stage["chat"];

beforeEach(async () => {
  ({ clock, telegram, api, ann, chat } = await setStage());
});

afterEach(async () => {
  await telegram.close();
});

const ALLOW: InlineKeyboardButton = { text: "Allow", callback_data: "v1:allow:x", style: "success" };
const CARD = { reply_markup: { inline_keyboard: [[ALLOW]] } };

test("a grammY bot answers a message, edits its card on a tap, and stops", async () => {
  const bot = new Bot(telegram.token, { client: { apiRoot: telegram.root } });
  bot.command("start", async (ctx) => {
    await ctx.reply("May I?", CARD);
  });
  bot.on("callback_query:data", async (ctx) => {
    await ctx.answerCallbackQuery({ text: "Approved", show_alert: true });
    await ctx.editMessageText("Allowed");
  });
  const running = bot.start({ timeout: 20 });

  ann.sends(chat, "/start");
  const card = await chat.untilMessage("May I?");
  const tap = ann.taps(card, "Allow");
  expect(await tap.toast()).toMatchObject({ text: "Approved", show_alert: true });
  expect(await chat.untilMessage(/^Allowed$/)).toMatchObject({ id: card.id, edits: 1, buttons: [] });

  await bot.stop();
  await running;
  expect(telegram.isPolling()).toBe(false);
  expect(telegram.calls("answerCallbackQuery")).toMatchObject([
    { params: { text: "Approved" }, answer: { ok: true } },
  ]);
});

describe("updates", () => {
  test("stay until a later offset confirms them", async () => {
    ann.sends(chat, "one");
    ann.sends(chat, "two");
    const [first, second] = await api.getUpdates();
    expect([first?.message?.text, second?.message?.text]).toEqual(["one", "two"]);
    expect(await api.getUpdates({ offset: second?.update_id ?? 0 })).toMatchObject([
      { message: { text: "two" } },
    ]);
    expect(telegram.pendingUpdates()).toBe(1);
  });

  test("a negative offset keeps the last ones, a far one confirms nothing", async () => {
    for (const text of ["one", "two", "three"]) ann.sends(chat, text);
    expect(await api.getUpdates({ offset: 9_000_000 })).toHaveLength(3);
    expect(await api.getUpdates({ offset: -1 })).toMatchObject([{ message: { text: "three" } }]);
    expect(telegram.pendingUpdates()).toBe(1);
  });

  test("asking the same again at once gets one at a time, as in a crash loop", async () => {
    ann.sends(chat, "one");
    ann.sends(chat, "two");
    expect(await api.getUpdates()).toHaveLength(2);
    expect(await api.getUpdates()).toHaveLength(1);
  });

  test("a waiting poll is woken by a message", async () => {
    const poll = api.getUpdates({ timeout: 30 });
    await telegram.until(() => telegram.isPolling(), "a poll");
    ann.sends(chat, "/new@signoff_bot now");
    expect(await poll).toMatchObject([
      { message: { from: { id: 111 }, entities: [{ type: "bot_command", offset: 0, length: 16 }] } },
    ]);
  });

  test("a second poller sends the first away", async () => {
    const first = refusal(api.getUpdates({ timeout: 30 }));
    await telegram.until(() => telegram.isPolling(), "a poll");
    const second = api.getUpdates({ timeout: 30, offset: 1 });
    expect(await first).toBe(
      "409 Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    );
    ann.sends(chat, "hello");
    expect(await second).toHaveLength(1);
  });

  test("a webhook ends polling until it is deleted", async () => {
    const poll = refusal(api.getUpdates({ timeout: 30 }));
    await telegram.until(() => telegram.isPolling(), "a poll");
    expect(await refusal(api.setWebhook("http://example.com"))).toBe(
      "400 Bad Request: invalid webhook URL specified",
    );
    await api.setWebhook("https://example.com/hook");
    expect(await poll).toBe("409 Conflict: terminated by setWebhook request");
    expect(await refusal(api.getUpdates())).toBe(
      "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
    expect(await refusal(api.setWebhook("https://example.com/hook"))).toBe(
      "429 Too Many Requests: retry after 1",
    );
    await api.deleteWebhook();
    expect(await api.getWebhookInfo()).toMatchObject({ url: "", pending_update_count: 0 });
  });

  test("kinds that were not asked for are never made", async () => {
    await api.getUpdates({ allowed_updates: ["callback_query"], offset: 1 });
    ann.sends(chat, "unheard");
    await api.getUpdates({ allowed_updates: [], offset: -1, timeout: 0 });
    ann.sends(chat, "heard");
    expect(await api.getUpdates()).toMatchObject([{ message: { text: "heard" } }]);
  });

  test("taps are forgotten after 150 s, messages after a day", async () => {
    await api.sendMessage(111, "May I?", CARD);
    const card = await chat.untilMessage("May I?");
    ann.taps(card, "Allow");
    ann.sends(chat, "hello");
    clock.at += 151_000;
    expect(await api.getUpdates()).toMatchObject([{ message: { text: "hello" } }]);
    clock.at += 86_400_000;
    expect(telegram.pendingUpdates()).toBe(0);
  });

  test("can come twice", async () => {
    telegram.deliverTwice();
    ann.sends(chat, "again");
    ann.sends(chat, "once");
    const last = (await api.getUpdates()).at(-1)?.update_id ?? 0;
    expect(await api.getUpdates({ offset: last + 1 })).toMatchObject([{ message: { text: "again" } }]);
    expect(telegram.pendingUpdates()).toBe(1);
    await api.getUpdates({ offset: -1 });
  });
});

describe("people", () => {
  test("edit, forward, answer, send pictures and speak through others", async () => {
    const first = ann.sends(chat, "one");
    ann.edits(first, "two");
    ann.sends(chat, "look", { replyTo: first, forwardedFrom: { id: 5, is_bot: false, first_name: "Eve" } });
    ann.sends(chat, "a cat", {
      media: { kind: "photo" },
      viaBot: { id: 6, is_bot: true, first_name: "Pic" },
    });
    expect(await api.getUpdates()).toMatchObject([
      { message: { text: "one" } },
      { edited_message: { text: "two", message_id: first.id } },
      { message: { forward_origin: { sender_user: { id: 5 } }, reply_to_message: { message_id: first.id } } },
      { message: { caption: "a cat", photo: [{}, { width: 800 }], via_bot: { id: 6 } } },
    ]);
  });

  test("paste long texts, which arrive in pieces of 4096 characters", async () => {
    ann.pastes(chat, "x".repeat(9000));
    const updates = await api.getUpdates();
    expect(updates.map(({ message }) => message?.text?.length)).toEqual([4096, 4096, 808]);
  });

  test("in groups reach a bot in privacy mode only when they mean it", async () => {
    const group = telegram.group({ id: -1_001_000, members: [ann] });
    const said = await api.sendMessage(group.id, "hello all");
    ann.sends(group, "just talking");
    ann.sends(group, "", { media: "voice" });
    ann.sends(group, "/status");
    ann.sends(group, "/status@other_bot");
    ann.sends(group, "@signoff_bot hello");
    ann.sends(group, "yes", { replyTo: { id: said.message_id } });
    const updates = await api.getUpdates();
    expect(updates.map(({ message }) => message?.text)).toEqual(["/status", "@signoff_bot hello", "yes"]);
  });

  test("press Stop under a text that streams", async () => {
    await api.sendMessageDraft(111, 7, "On and on", { can_stop: true });
    ann.stops(chat);
    expect(await api.getUpdates()).toMatchObject([
      { stopped_message_generation: { draft_id: 7, chat: { id: 111 } } },
    ]);
  });

  test("tell the bot when they block it", async () => {
    chat.block();
    expect(await api.getUpdates()).toMatchObject([
      { my_chat_member: { new_chat_member: { status: "kicked" } } },
    ]);
  });

  test("can cause any update at all", async () => {
    ann.sendsUpdate({ weird_thing: { x: 1 } });
    expect(await api.getUpdates()).toMatchObject([{ weird_thing: { x: 1 } }]);
  });
});

describe("taps", () => {
  const tooOld = "400 Bad Request: query is too old and response timeout expired or query ID is invalid";

  async function tapped(): Promise<string> {
    await api.sendMessage(111, "May I?", CARD);
    return ann.taps(await chat.untilMessage("May I?"), (button) => button.text === "Allow").id;
  }

  test("are answered once", async () => {
    const id = await tapped();
    expect(await refusal(api.answerCallbackQuery(id, { text: "x".repeat(201) }))).toBe(
      "400 Bad Request: MESSAGE_TOO_LONG",
    );
    await api.answerCallbackQuery(id, { text: "Approved" });
    expect(await refusal(api.answerCallbackQuery(id))).toBe(tooOld);
    expect(await refusal(api.answerCallbackQuery("1"))).toBe(tooOld);
  });

  test("cannot be answered late", async () => {
    telegram.callbackExpiry(15_000);
    const id = await tapped();
    clock.at += 15_001;
    expect(await refusal(api.answerCallbackQuery(id))).toBe(tooOld);
  });

  test("on a deleted message bring an inaccessible one", async () => {
    const { message_id } = await api.sendMessage(111, "May I?", CARD);
    const card = await chat.untilMessage("May I?");
    await api.deleteMessage(111, message_id);
    ann.taps(card, ALLOW);
    expect(await api.getUpdates()).toMatchObject([
      { callback_query: { message: { message_id, date: 0 }, data: "v1:allow:x" } },
    ]);
  });

  test("need a button that is there", async () => {
    await api.sendMessage(111, "May I?", CARD);
    const card = await chat.untilMessage("May I?");
    expect(() => ann.taps(card, "Deny")).toThrow('No such button ("Deny") under message 1; it has ["Allow"]');
  });
});
