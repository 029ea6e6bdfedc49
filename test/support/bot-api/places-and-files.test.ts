import { InputFile } from "grammy";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal, type Stage, setStage } from "./stage.ts";

let clock: Stage["clock"];
let telegram: Stage["telegram"];
let api: Stage["api"];
let ann: Stage["ann"];
let chat: Stage["chat"];
let group: Stage["group"];

beforeEach(async () => {
  ({ clock, telegram, api, ann, chat, group } = await setStage());
});

afterEach(async () => {
  await telegram.close();
});

describe("files", () => {
  test("a document arrives whole, and can be fetched and sent again", async () => {
    const content = Buffer.from("line one\r\n--x\r\nline two\n");
    const sent = await api.sendDocument(111, new InputFile(content, "plan für 2026.md"), {
      caption: "The\tplan",
    });
    expect(chat.message(sent.message_id)).toMatchObject({
      text: "The plan",
      file: { name: "plan für 2026.md", type: "text/markdown" },
    });
    expect(chat.message(sent.message_id)?.file?.content).toEqual(content);
    const file = await api.getFile(sent.document.file_id);
    const answer = await fetch(`${telegram.root}/file/bot${telegram.token}/${file.file_path}`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
    await api.sendDocument(111, sent.document.file_id);
    expect(chat.messages().at(-1)?.file?.content).toEqual(content);
  });

  test.each([
    ["a;b.txt", "a"],
    ["50%25.txt", "50%.txt"],
  ])("a file called %j arrives as %j, as Telegram's reader has it", async (given, arrived) => {
    const { document } = await api.sendDocument(111, new InputFile(Buffer.from("x"), given));
    expect(document.file_name).toBe(arrived);
  });

  test("captions end at 1024 characters, photos must be pictures, ids must be known", async () => {
    const caption = "x".repeat(1025);
    const file = new InputFile(Buffer.from("x"), "x.txt");
    expect(await refusal(api.sendDocument(111, file, { caption }))).toBe(
      "400 Bad Request: message caption is too long",
    );
    expect(await refusal(api.sendPhoto(111, new InputFile(Buffer.from("x"))))).toBe(
      "400 Bad Request: IMAGE_PROCESS_FAILED",
    );
    expect(await refusal(api.sendDocument(111, "unknown"))).toBe(
      "400 Bad Request: wrong file identifier/HTTP URL specified",
    );
    expect(await refusal(api.sendDocument(111, ""))).toBe(
      "400 Bad Request: there is no document in the request",
    );
    expect(await refusal(api.getFile("unknown-file-id"))).toBe(
      "400 Bad Request: wrong file_id or the file is temporarily unavailable",
    );
    expect(await refusal(api.getFile(""))).toBe("400 Bad Request: file_id not specified");
  });

  test("a photo shows its size, and 20 MiB is the most that can be fetched", async () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000400000002008", "hex");
    const { photo } = await api.sendPhoto(111, new InputFile(png));
    expect(photo).toMatchObject([{ width: 64, height: 32 }]);
    const big = ann.sends(chat, "", {
      media: { kind: "document", content: Buffer.alloc(20 * 1024 * 1024 + 1) },
    });
    expect(await refusal(api.getFile(big.raw.document?.file_id ?? ""))).toBe(
      "400 Bad Request: file is too big",
    );
  });
});

describe("topics", () => {
  let forum: Stage["chat"];
  beforeEach(() => {
    forum = telegram.group({ id: -1_003_000, forum: true, members: [ann], bot: "administrator" });
  });

  test("messages go into them, and show the topic's first message as answered", async () => {
    const { message_thread_id } = await api.createForumTopic(forum.id, "web");
    const sent = await api.sendMessage(forum.id, "x", { message_thread_id });
    expect(sent).toMatchObject({
      message_thread_id,
      is_topic_message: true,
      reply_to_message: { forum_topic_created: { name: "web" } },
    });
  });

  test("an unknown, deleted or General topic is not found", async () => {
    const { message_thread_id } = await api.createForumTopic(forum.id, "web");
    forum.deleteTopic(message_thread_id);
    const missing = "400 Bad Request: message thread not found";
    expect(await refusal(api.sendMessage(forum.id, "x", { message_thread_id }))).toBe(missing);
    expect(await refusal(api.sendMessage(forum.id, "x", { message_thread_id: 1 }))).toBe(missing);
    expect(await refusal(api.sendMessage(111, "x", { message_thread_id: 5 }))).toBe(missing);
  });

  test("a closed one takes nothing from a plain member", async () => {
    const { message_thread_id } = await api.createForumTopic(forum.id, "web");
    await api.editForumTopic(forum.id, message_thread_id, { name: "api" });
    await api.closeForumTopic(forum.id, message_thread_id);
    forum.readmit("member");
    expect(await refusal(api.sendMessage(forum.id, "x", { message_thread_id }))).toBe(
      "400 Bad Request: TOPIC_CLOSED",
    );
    forum.readmit("administrator");
    await api.reopenForumTopic(forum.id, message_thread_id);
    await api.deleteForumTopic(forum.id, message_thread_id);
    expect(forum.messages()).toEqual([]);
  });

  test("need a forum, and the right to manage it", async () => {
    expect(await refusal(api.createForumTopic(group.id, "web"))).toBe(
      "400 Bad Request: the chat is not a forum",
    );
    forum.readmit("member");
    expect(await refusal(api.createForumTopic(forum.id, "web"))).toBe(
      "400 Bad Request: not enough rights to create a topic",
    );
  });
});

describe("small things", () => {
  test("reactions are one of Telegram's, one a message", async () => {
    const asked = ann.sends(chat, "go");
    await api.setMessageReaction(111, asked.id, [{ type: "emoji", emoji: "👀" }]);
    expect(chat.message(asked.id)?.reactions).toEqual(["👀"]);
    expect(await refusal(api.setMessageReaction(111, 999, []))).toBe(
      "400 Bad Request: message to react not found",
    );
    const odd = [{ type: "emoji", emoji: "🦖" }] as unknown as [{ type: "emoji"; emoji: "👀" }];
    expect(await refusal(api.setMessageReaction(111, asked.id, odd))).toBe(
      "400 Bad Request: REACTION_INVALID",
    );
  });

  test("drafts stream in private chats until a message comes or 30 s pass", async () => {
    await api.sendMessageDraft(111, 7, "Thinking about");
    expect(chat.draft()).toBe("Thinking about");
    clock.at += 30_000;
    expect(chat.draft()).toBeUndefined();
    await api.sendMessageDraft(111, 7, "it");
    await api.sendMessage(111, "Done");
    expect(chat.draft()).toBeUndefined();
    expect(await refusal(api.sendMessageDraft(group.id, 7, "x"))).toBe(
      "400 Bad Request: TEXTDRAFT_PEER_INVALID",
    );
  });

  test("commands are kept by scope, and have rules", async () => {
    const commands = [{ command: "new", description: "Start anew" }];
    await api.setMyCommands(commands, { scope: { type: "chat", chat_id: 111 } });
    expect(await api.getMyCommands({ scope: { type: "chat", chat_id: 111 } })).toEqual(commands);
    expect(await api.getMyCommands()).toEqual([]);
    await api.deleteMyCommands({ scope: { type: "chat", chat_id: 111 } });
    expect(await api.getMyCommands({ scope: { type: "chat", chat_id: 111 } })).toEqual([]);
    expect(await refusal(api.setMyCommands([{ command: "Bad-One", description: "x" }]))).toBe(
      "400 Bad Request: BOT_COMMAND_INVALID",
    );
    expect(await refusal(api.setMyCommands(commands, { scope: { type: "chat", chat_id: 5 } }))).toBe(
      "400 Bad Request: chat not found",
    );
  });

  test("pins, chats, members, actions and the bot itself can be asked for", async () => {
    const { message_id } = await api.sendMessage(111, "status");
    await api.pinChatMessage(111, message_id);
    expect(await api.getChat(111)).toMatchObject({ type: "private", pinned_message: { message_id } });
    await api.unpinChatMessage(111, message_id);
    expect(chat.message(message_id)?.pinned).toBe(false);
    expect(await api.getChatMember(group.id, 111)).toMatchObject({ status: "creator", user: { id: 111 } });
    expect(await api.sendChatAction(111, "typing")).toBe(true);
    expect(await refusal(api.raw.sendChatAction({ chat_id: 111, action: "dance" as "typing" }))).toBe(
      "400 Bad Request: wrong parameter action in request",
    );
    expect(await api.getMe()).toMatchObject({ id: 123_456_789, is_bot: true, username: "signoff_bot" });
    await api.setMyDescription("Asks before it acts");
    await api.setChatMenuButton({ chat_id: 111, menu_button: { type: "default" } });
    expect(await api.getChatMenuButton({ chat_id: 111 })).toEqual({ type: "default" });
  });
});
