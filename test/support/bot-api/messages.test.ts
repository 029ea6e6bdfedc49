import { InputFile } from "grammy";
import type { InlineKeyboardButton, MessageEntity } from "grammy/types";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal, type Stage, setStage } from "./stage.ts";

let clock: Stage["clock"];
let telegram: Stage["telegram"];
let api: Stage["api"];
let ann: Stage["ann"];
let bob: Stage["bob"];
let chat: Stage["chat"];
let group: Stage["group"];

beforeEach(async () => {
  ({ clock, telegram, api, ann, bob, chat, group } = await setStage());
});

afterEach(async () => {
  await telegram.close();
});

function keyboard(...rows: InlineKeyboardButton[][]) {
  return { reply_markup: { inline_keyboard: rows } };
}

describe("sendMessage", () => {
  test("stores the text as Telegram would and shows it", async () => {
    const entities: MessageEntity[] = [{ type: "bold", offset: 2, length: 5 }];
    const sent = await api.sendMessage(111, "\thello\tworld\r\n", { entities, disable_notification: true });
    expect(sent).toMatchObject({ message_id: 1, chat: { id: 111, type: "private" }, text: "hello world" });
    expect(chat.messages()).toMatchObject([
      {
        id: 1,
        fromBot: true,
        text: "hello world",
        silent: true,
        edits: 0,
        entities: [{ type: "bold", offset: 1 }],
      },
    ]);
  });

  test.each([
    ["", "400 Bad Request: message text is empty"],
    [" \n ", "400 Bad Request: text must be non-empty"],
    ["x".repeat(4097), "400 Bad Request: message is too long"],
    ["字".repeat(11_000), "400 Bad Request: text is too long"],
  ])("refuses a text like %.5j", async (text, expected) => {
    expect(await refusal(api.sendMessage(111, text))).toBe(expected);
  });

  test("counts code points, so 4096 emoji fit", async () => {
    await api.sendMessage(111, "😀".repeat(4096));
    expect(chat.messages()[0]?.text).toHaveLength(8192);
  });

  test("keeps the first hundred entities and drops the rest without a word", async () => {
    const entities: MessageEntity[] = Array.from({ length: 150 }, (_, index) => ({
      type: "code",
      offset: index * 2,
      length: 1,
    }));
    const sent = await api.sendMessage(111, "x ".repeat(150), { entities });
    expect(sent.entities).toHaveLength(100);
  });

  test("refuses entities that weigh too much in all", async () => {
    const url = `https://example.com/${"x".repeat(200)}`;
    const entities: MessageEntity[] = Array.from({ length: 60 }, (_, index) => ({
      type: "text_link",
      offset: index * 2,
      length: 1,
      url,
    }));
    expect(await refusal(api.sendMessage(111, "x ".repeat(60), { entities }))).toBe(
      "400 Bad Request: ENTITIES_TOO_LONG",
    );
  });

  test("says what is wrong with a link, and reads no markup", async () => {
    const entities: MessageEntity[] = [{ type: "text_link", offset: 0, length: 1, url: "src/x.ts:12" }];
    expect(await refusal(api.sendMessage(111, "x", { entities }))).toBe(
      "400 Bad Request: entity URL 'src/x.ts:12' is invalid: Wrong HTTP URL",
    );
    expect(await refusal(api.sendMessage(111, "x", { parse_mode: "HTML" }))).toBe(
      "400 Bad Request: unsupported parse_mode",
    );
  });

  test("answers a message, quotes a part of it, and can do without it", async () => {
    const asked = ann.sends(chat, "one two three");
    const reply = { message_id: asked.id, quote: "two" };
    const sent = await api.sendMessage(111, "yes", { reply_parameters: reply });
    expect(sent).toMatchObject({
      reply_to_message: { message_id: asked.id },
      quote: { text: "two", position: 4 },
    });
    const gone = { message_id: 999 };
    expect(await refusal(api.sendMessage(111, "x", { reply_parameters: gone }))).toBe(
      "400 Bad Request: message to be replied not found",
    );
    expect(await refusal(api.sendMessage(111, "x", { reply_parameters: { ...reply, quote: "four" } }))).toBe(
      "400 Bad Request: QUOTE_TEXT_INVALID",
    );
    const optional = { ...gone, allow_sending_without_reply: true };
    expect(
      (await api.sendMessage(111, "x", { reply_parameters: optional })).reply_to_message,
    ).toBeUndefined();
  });
});

describe("chats that cannot be written to", () => {
  test("an unknown chat is not found, and a missing one is empty", async () => {
    expect(await refusal(api.sendMessage(999, "x"))).toBe("400 Bad Request: chat not found");
    expect(await refusal(api.sendMessage("", "x"))).toBe("400 Bad Request: chat_id is empty");
  });

  test("a person can block the bot, leave Telegram, or never have started it", async () => {
    telegram.privateChat(bob, { started: false });
    expect(await refusal(api.sendMessage(222, "x"))).toBe(
      "403 Forbidden: bot can't initiate conversation with a user",
    );
    chat.block();
    expect(await refusal(api.sendMessage(111, "x"))).toBe("403 Forbidden: bot was blocked by the user");
    chat.deactivate();
    expect(await refusal(api.sendMessage(111, "x"))).toBe("403 Forbidden: user is deactivated");
  });

  test("a group can throw the bot out and go away", async () => {
    group.kick();
    expect(await refusal(api.sendMessage(group.id, "x"))).toBe(
      "403 Forbidden: bot was kicked from the supergroup chat",
    );
    group.remove();
    expect(await refusal(api.sendMessage(group.id, "x"))).toBe(
      "403 Forbidden: bot is not a member of the supergroup chat",
    );
    group.destroy();
    expect(await refusal(api.sendMessage(group.id, "x"))).toBe("403 Forbidden: the group chat was deleted");
  });

  test("a group that became a supergroup names its new id", async () => {
    const old = telegram.group({ id: -500, kind: "group", members: [ann] });
    const upgraded = telegram.migrate(old, -1_002_000);
    const error: unknown = await api.sendMessage(-500, "x").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: -1_002_000 },
    });
    expect((await api.sendMessage(upgraded.id, "x")).message_id).toBe(2);
    expect(await api.getUpdates()).toMatchObject([
      { message: { chat: { id: -500 }, migrate_to_chat_id: -1_002_000 } },
      { message: { chat: { id: -1_002_000, type: "supergroup" }, migrate_from_chat_id: -500 } },
    ]);
  });
});

describe("keyboards", () => {
  test.each<[string, object, string]>([
    ["data over 64 bytes", { text: "x", callback_data: "é".repeat(33) }, "BUTTON_DATA_INVALID"],
    [
      "no data",
      { text: "x", callback_data: "" },
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      "a colour of its own",
      { text: "x", callback_data: "x", style: "pink" },
      "can't parse inline keyboard button: invalid button style specified",
    ],
    [
      "a bad link",
      { text: "x", url: "localhost" },
      "inline keyboard button URL 'localhost' is invalid: Wrong HTTP URL",
    ],
    [
      "a plain web app",
      { text: "x", web_app: { url: "http://a.b" } },
      "inline keyboard button Web App URL 'http://a.b' is invalid: Only HTTPS links are allowed",
    ],
    ["too much to copy", { text: "x", copy_text: { text: "x".repeat(257) } }, "BUTTON_COPY_TEXT_INVALID"],
  ])("refuse a button with %s", async (_, button, expected) => {
    const call = api.sendMessage(111, "x", keyboard([button as InlineKeyboardButton]));
    expect(await refusal(call)).toBe(`400 Bad Request: ${expected}`);
  });

  test("take styles, copying and disabled buttons, and drop buttons without text", async () => {
    const row: InlineKeyboardButton[] = [
      { text: "Allow", callback_data: "a", style: "success" },
      { text: "Copy", copy_text: { text: "npm test" } },
      { text: "Done", disabled: {} },
    ];
    const sent = await api.sendMessage(111, "x", keyboard([...row, { text: "", callback_data: "x" }], []));
    expect(sent.reply_markup?.inline_keyboard).toEqual([row]);
  });

  test("hold eight buttons a row and a hundred in all", async () => {
    const button = { text: "x", callback_data: "x" };
    const rows = (count: number, width: number) =>
      Array.from({ length: count }, () => Array.from({ length: width }, () => button));
    await api.sendMessage(111, "x", keyboard(...rows(12, 8)));
    expect(await refusal(api.sendMessage(111, "x", keyboard(...rows(1, 9))))).toBe(
      "400 Bad Request: reply markup is too long",
    );
    expect(await refusal(api.sendMessage(111, "x", keyboard(...rows(13, 8))))).toBe(
      "400 Bad Request: reply markup is too long",
    );
  });

  test("refuse web apps in groups", async () => {
    const call = api.sendMessage(group.id, "x", keyboard([{ text: "x", web_app: { url: "https://a.b" } }]));
    expect(await refusal(call)).toBe("400 Bad Request: BUTTON_TYPE_INVALID");
  });
});

describe("edits", () => {
  const buttons = keyboard([{ text: "Allow", callback_data: "a" }]);

  test("replace the text, and take the keyboard away unless it is named again", async () => {
    const sent = await api.sendMessage(111, "one", buttons);
    await api.editMessageText(111, sent.message_id, "two", buttons);
    expect(chat.message(sent.message_id)).toMatchObject({
      text: "two",
      edits: 1,
      buttons: [[{ text: "Allow" }]],
    });
    await api.editMessageText(111, sent.message_id, "three");
    expect(chat.message(sent.message_id)).toMatchObject({ text: "three", edits: 2, buttons: [] });
  });

  test("that change nothing are refused; entities and keyboard count", async () => {
    const { message_id } = await api.sendMessage(111, "same", buttons);
    const same =
      "400 Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";
    expect(await refusal(api.editMessageText(111, message_id, " same ", buttons))).toBe(same);
    expect(await refusal(api.editMessageReplyMarkup(111, message_id, buttons))).toBe(same);
    const entities: MessageEntity[] = [{ type: "bold", offset: 0, length: 4 }];
    await api.editMessageText(111, message_id, "same", { ...buttons, entities });
    await api.editMessageReplyMarkup(111, message_id);
    expect(chat.message(message_id)).toMatchObject({ entities, buttons: [] });
  });

  test("have a limit of their own words", async () => {
    const { message_id } = await api.sendMessage(111, "x");
    expect(await refusal(api.editMessageText(111, message_id, "x".repeat(4097)))).toBe(
      "400 Bad Request: MESSAGE_TOO_LONG",
    );
  });

  test("need a message, of the bot, without a reply keyboard, with a text", async () => {
    const theirs = ann.sends(chat, "mine");
    const asking = await api.sendMessage(111, "x", { reply_markup: { force_reply: true } });
    const file = await api.sendDocument(111, new InputFile(Buffer.from("x"), "x.txt"));
    expect(await refusal(api.editMessageText(111, 999, "y"))).toBe(
      "400 Bad Request: message to edit not found",
    );
    expect(await refusal(api.editMessageText(111, theirs.id, "y"))).toBe(
      "400 Bad Request: message can't be edited",
    );
    expect(await refusal(api.editMessageText(111, asking.message_id, "y"))).toBe(
      "400 Bad Request: message can't be edited",
    );
    expect(await refusal(api.editMessageText(111, file.message_id, "y"))).toBe(
      "400 Bad Request: there is no text in the message to edit",
    );
  });
});

describe("deletes", () => {
  test("take messages away; in groups only the bot's own, unless it is an administrator", async () => {
    const mine = await api.sendMessage(group.id, "first");
    const own = await api.sendMessage(group.id, "second");
    const theirs = bob.sends(group, "hello");
    await api.deleteMessage(group.id, own.message_id);
    expect(await refusal(api.deleteMessage(group.id, own.message_id))).toBe(
      "400 Bad Request: message to delete not found",
    );
    expect(await refusal(api.deleteMessage(group.id, theirs.id))).toBe(
      "400 Bad Request: message can't be deleted",
    );
    group.readmit("administrator");
    await api.deleteMessages(group.id, [theirs.id, 999]);
    expect(group.messages().map(({ id }) => id)).toEqual([mine.message_id]);
  });

  test("come too late after two days, and take at most a hundred", async () => {
    const { message_id } = await api.sendMessage(111, "x");
    clock.at += 49 * 3_600_000;
    expect(await refusal(api.deleteMessage(111, message_id))).toBe(
      "400 Bad Request: message can't be deleted",
    );
    const ids = Array.from({ length: 101 }, (_, id) => id + 1);
    expect(await refusal(api.deleteMessages(111, ids))).toBe(
      "400 Bad Request: too many message identifiers specified",
    );
  });
});
