import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../src/telegram/client.ts";
import { createDeliver, type Deliver } from "../../src/telegram/deliver.ts";
import type { Outgoing, Parcel } from "../../src/telegram/outgoing.ts";
import type { Chat } from "../support/bot-api/chat-control.ts";
import type { Person } from "../support/bot-api/person.ts";
import { type Simulator, startSimulator } from "../support/bot-api/simulator.ts";

let telegram: Simulator;
let deliver: Deliver;
let ada: Person;
let chat: Chat;

beforeAll(async () => {
  telegram = await startSimulator();
  deliver = createDeliver(createClient({ token: telegram.token, apiRoot: telegram.root }));
  ada = telegram.user({ id: 1, first_name: "Ada" });
});
afterAll(() => telegram.close());
beforeEach(() => {
  chat = telegram.privateChat(ada);
});

function carry(parcel: Parcel, to: { chatId?: number; topicId?: number; messageId?: number } = {}) {
  const destination = { chatId: to.chatId ?? 1, topicId: to.topicId ?? 0, messageId: to.messageId ?? null };
  return deliver(parcel, destination, new AbortController().signal);
}

const send = (content: Outgoing, to?: Parameters<typeof carry>[1]) => carry({ op: "send", content }, to);
const edit = (content: Outgoing, messageId: number) => carry({ op: "edit", content }, { messageId });

async function sentId(content: Outgoing): Promise<number> {
  const result = await send(content);
  if (result.kind !== "ok" || result.value.messageId === undefined) throw new Error(result.kind);
  return result.value.messageId;
}

const allow = { label: "Allow", data: "v1:allow:1", style: "success" as const };

describe("a message", () => {
  test("arrives with its entities, its buttons, and without a link preview", async () => {
    const entities = [{ type: "bold" as const, offset: 0, length: 3 }];
    const docs = { label: "Docs", url: "https://example.org/" };
    const id = await sentId({ text: "May I?", entities, buttons: [[allow], [docs]], silent: true });
    expect(chat.message(id)).toMatchObject({
      text: "May I?",
      entities,
      silent: true,
      buttons: [
        [{ text: "Allow", callback_data: "v1:allow:1", style: "success" }],
        [{ text: "Docs", url: "https://example.org/" }],
      ],
    });
    expect(telegram.calls("sendMessage").at(-1)?.params["link_preview_options"]).toEqual({
      is_disabled: true,
    });
  });

  test("goes out although what it answers was deleted", async () => {
    const prompt = ada.sends(chat, "hello");
    const answer = { text: "hi", entities: [], replyTo: prompt.id };
    expect(chat.message(await sentId(answer))?.replyTo).toBe(prompt.id);
    chat.deleteMessage(prompt);
    expect(chat.message(await sentId(answer))).toMatchObject({ text: "hi", replyTo: undefined });
  });

  test("goes to its topic, and to General without naming it", async () => {
    const forum = telegram.group({ id: -100, forum: true, members: [ada] });
    // Message 1 of a supergroup is never a topic of its own.
    ada.sends(forum, "hello everybody");
    const topicId = ada.createsTopic(forum, "web");
    await send({ text: "in the topic", entities: [] }, { chatId: -100, topicId });
    await send({ text: "in General", entities: [] }, { chatId: -100, topicId: 1 });
    expect(forum.fromBot().map(({ text, topic }) => ({ text, topic }))).toEqual([
      { text: "in the topic", topic: topicId },
      { text: "in General", topic: undefined },
    ]);
  });

  test("that is refused for an entity goes out as plain text, with its buttons", async () => {
    const link = { type: "text_link" as const, offset: 0, length: 4, url: "https://localhost:3000" };
    const id = await sentId({ text: "here it runs", entities: [link], buttons: [[allow]] });
    expect(chat.message(id)).toMatchObject({
      text: "here it runs",
      entities: [],
      buttons: [[{ text: "Allow" }]],
    });
  });

  test("that is refused for a button goes out without buttons, with its entities", async () => {
    const entities = [{ type: "bold" as const, offset: 0, length: 4 }];
    const button = { label: "Too much", data: "x".repeat(65) };
    const id = await sentId({ text: "here it runs", entities, buttons: [[button]] });
    expect(chat.message(id)).toMatchObject({ text: "here it runs", entities, buttons: [] });
  });

  test("that is refused for both goes out bare", async () => {
    const link = { type: "text_link" as const, offset: 0, length: 4, url: "./a.md" };
    const button = { label: "Too much", data: "x".repeat(65) };
    const id = await sentId({ text: "here it runs", entities: [link], buttons: [[button]] });
    expect(chat.message(id)).toMatchObject({ text: "here it runs", entities: [], buttons: [] });
  });

  test("that is refused even when plain is refused", async () => {
    expect(await send({ text: "x".repeat(4097), entities: [] })).toMatchObject({
      kind: "rejected",
      code: 400,
    });
  });
});

describe("an edit", () => {
  test("changes the message, and takes away the buttons it no longer has", async () => {
    const id = await sentId({ text: "May I?", entities: [], buttons: [[allow]] });
    expect(await edit({ text: "Allowed", entities: [] }, id)).toEqual({ kind: "ok", value: {} });
    expect(chat.message(id)).toMatchObject({ text: "Allowed", buttons: [], edits: 1 });
  });

  test("to the same is told apart", async () => {
    const id = await sentId({ text: "May I?", entities: [], buttons: [[allow]] });
    expect(await edit({ text: "May I?", entities: [], buttons: [[allow]] }, id)).toEqual({
      kind: "not_modified",
    });
  });

  test("that is refused for an entity is made as plain text", async () => {
    const id = await sentId({ text: "May I?", entities: [] });
    const link = { type: "text_link" as const, offset: 0, length: 4, url: "file:///etc" };
    await edit({ text: "here it runs", entities: [link] }, id);
    expect(chat.message(id)).toMatchObject({ text: "here it runs", entities: [] });
  });

  test("of a deleted message brings it back as a new one while somebody must still act", async () => {
    const id = await sentId({ text: "May I?", entities: [], buttons: [[allow]] });
    chat.deleteMessage({ id });
    const result = await edit({ text: "May I, please?", entities: [], buttons: [[allow]] }, id);
    const back = await chat.untilMessage("please");
    expect(result).toEqual({ kind: "ok", value: { messageId: back.id } });
  });

  test("of a deleted message is given up when nobody has to act any more", async () => {
    const id = await sentId({ text: "May I?", entities: [], buttons: [[allow]] });
    chat.deleteMessage({ id });
    expect(await edit({ text: "Allowed", entities: [] }, id)).toMatchObject({ kind: "message_gone" });
  });
});

describe("a document", () => {
  test("arrives whole, whatever its name", async () => {
    const content = "größe = 1\n".repeat(1000);
    const entities = [{ type: "code" as const, offset: 0, length: 4 }];
    await carry({
      op: "document",
      content: { name: '50%25; "a"/b.txt', content, caption: { text: "size", entities } },
    });
    const message = await chat.untilMessage("size");
    expect(message.entities).toEqual(entities);
    expect({ name: message.file?.name, content: message.file?.content.toString() }).toEqual({
      name: "50_25_ _a__b.txt",
      content,
    });
  });

  test("needs no caption, and one that is refused becomes plain", async () => {
    await carry({ op: "document", content: { name: "a.txt", content: "1" } });
    const link = { type: "text_link" as const, offset: 0, length: 5, url: "./a" };
    const caption = { text: "plain", entities: [link] };
    await carry({ op: "document", content: { name: "b.txt", content: "2", caption } });
    expect(chat.fromBot().map(({ text, entities, file }) => ({ text, entities, name: file?.name }))).toEqual([
      { text: "", entities: [], name: "a.txt" },
      { text: "plain", entities: [], name: "b.txt" },
    ]);
  });
});

test("a reaction is set, taken back, and given up when the message is gone", async () => {
  const prompt = ada.sends(chat, "hello");
  await carry({ op: "react", content: { messageId: prompt.id, emoji: "👀" } });
  expect(chat.message(prompt.id)?.reactions).toEqual(["👀"]);
  await carry({ op: "react", content: { messageId: prompt.id, emoji: null } });
  expect(chat.message(prompt.id)?.reactions).toEqual([]);
  chat.deleteMessage(prompt);
  expect(await carry({ op: "react", content: { messageId: prompt.id, emoji: "👀" } })).toMatchObject({
    kind: "message_gone",
  });
});
