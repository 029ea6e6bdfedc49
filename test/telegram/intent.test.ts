import type { ChatMember, Message, Update, User } from "grammy/types";
import { expect, test } from "vitest";
import { readIntent } from "../../src/telegram/intent.ts";
import { aMessage, anEdit, ann, aTap, forum, group, privateChat, stranger, us } from "./an-update.ts";

const bot = { botUsername: "Signoff_Bot" };
const read = (update: Update) => readIntent(update, bot);
const origin = {
  place: { chatId: 111, topicId: 0, chatKind: "private" },
  person: { id: 111, name: "Ann Lee" },
  messageId: 7,
  date: 1_700_000_000_000,
};

test("a text is a prompt, with where, who and when", () => {
  expect(read(aMessage({ text: "fix the build" }))).toEqual({
    ...origin,
    kind: "prompt",
    text: "fix the build",
    slash: false,
    mayContinue: false,
  });
});

test("a text near Telegram's limit may be the first half of a paste", () => {
  expect(read(aMessage({ text: "x".repeat(4090) }))).toMatchObject({ kind: "prompt", mayContinue: true });
});

test("a reply says to which message", () => {
  const replied = { message_id: 5, date: 1, chat: privateChat } as Message;
  expect(
    read(
      aMessage({ text: "too risky", reply_to_message: replied as NonNullable<Message["reply_to_message"]> }),
    ),
  ).toMatchObject({
    kind: "prompt",
    replyTo: 5,
  });
});

test("the message that opened a topic is not what a person replied to", () => {
  const opening = { message_id: 50, date: 1, chat: forum } as NonNullable<Message["reply_to_message"]>;
  const intent = read(
    aMessage({
      text: "hi",
      chat: forum,
      is_topic_message: true,
      message_thread_id: 50,
      reply_to_message: opening,
    }),
  );
  expect(intent).toMatchObject({
    kind: "prompt",
    place: { chatId: group.id, topicId: 50, chatKind: "group" },
  });
  expect(intent).not.toHaveProperty("replyTo");
});

test.each([
  ["/new", "new", ""],
  ["/New  ", "new", ""],
  ["/planmode auto", "planmode", "auto"],
  ["/project@signoff_bot web\nplease", "project", "web\nplease"],
])("%j is a command of ours", (text, name, args) => {
  expect(read(aMessage({ text }))).toEqual({ ...origin, kind: "command", name, args });
});

test("a command for another bot is not for us", () => {
  expect(read(aMessage({ text: "/new@other_bot" }))).toEqual({
    kind: "ignored",
    why: "command for another bot",
  });
});

test.each([
  ["/compact", "/compact"],
  ["/model opus", "/model opus"],
  ["/clear@signoff_bot", "/clear"],
  ["/my-command now", "/my-command now"],
  ["/new-feature", "/new-feature"],
  ["/help:me", "/help:me"],
])("%j is Claude's own and reaches it as %j", (text, prompt) => {
  expect(read(aMessage({ text }))).toMatchObject({ kind: "prompt", text: prompt, slash: true });
});

test.each(["/usr/bin/env is missing", "please run /new", "/ hello"])("%j is a plain prompt", (text) => {
  expect(read(aMessage({ text }))).toMatchObject({ kind: "prompt", text, slash: false });
});

test("a forwarded text is quoted line by line and is never a command", () => {
  const forward_origin = {
    type: "user" as const,
    date: 1,
    sender_user: { ...stranger, first_name: "Mal\nlory:", last_name: "> x" } satisfies User,
  };
  expect(read(aMessage({ text: "/new\nrm -rf ~\u2028or else", forward_origin }))).toMatchObject({
    kind: "prompt",
    text: "Forwarded message from Mal lory: > x:\n> /new\n> rm -rf ~\n> or else",
    slash: false,
  });
});

test.each([
  [{ type: "hidden_user", date: 1, sender_user_name: "Someone" }, "Someone"],
  [{ type: "chat", date: 1, sender_chat: group }, "Team"],
  [{ type: "channel", date: 1, chat: { id: -1, type: "channel", title: "News" }, message_id: 3 }, "News"],
] as const)("a forward names where it came from: %j", (forward_origin, name) => {
  expect(read(aMessage({ text: "hi", forward_origin }))).toMatchObject({
    text: `Forwarded message from ${name}:\n> hi`,
  });
});

test.each([
  ["@signoff_bot, fix it", "fix it", false],
  ["@SIGNOFF_BOT /compact", "/compact", true],
  ["@someone fix it", "@someone fix it", false],
])("in a group %j says %j to us", (text, prompt, slash) => {
  expect(read(aMessage({ text, chat: group }))).toMatchObject({ kind: "prompt", text: prompt, slash });
});

test("our name alone says nothing", () => {
  expect(read(aMessage({ text: "@signoff_bot", chat: group }))).toEqual({ kind: "ignored", why: "no text" });
});

test.each([
  [{ chat: forum, is_topic_message: true as const, message_thread_id: 8 }, 8],
  [{ chat: forum, is_topic_message: true as const, message_thread_id: 1 }, 0],
  [{ chat: forum }, 0],
  [{ chat: group, message_thread_id: 8 }, 0],
  [{ chat: privateChat, is_topic_message: true as const, message_thread_id: 8 }, 8],
])("the topic of %j is %i", (fields, topicId) => {
  expect(read(aMessage({ text: "hi", ...fields }))).toMatchObject({ place: { topicId } });
});

test("a tap carries what its button says, and the card it sits on", () => {
  expect(read(aTap("v1:allow:r1"))).toEqual({
    ...origin,
    kind: "tap",
    tap: { verb: "allow", requestId: "r1" },
    callbackId: "cb1",
    messageId: 9,
  });
});

test("a tap on a button nobody knows any more is still a tap, so that it can be answered", () => {
  expect(read(aTap("v0:old"))).toMatchObject({ kind: "tap", tap: undefined });
});

test("a tap on a card that Telegram has dropped keeps its chat", () => {
  const message = { chat: group, message_id: 9, date: 0 } as const;
  expect(read(aTap("v1:allow:r1", { message }))).toMatchObject({
    kind: "tap",
    place: { chatId: group.id, topicId: 0 },
    date: 0,
  });
});

test("an edited message is told apart", () => {
  expect(read(anEdit({ text: "/new" }))).toEqual({ ...origin, kind: "edited" });
});

test("a group that became a supergroup says where it went; the echo in the new chat is ignored", () => {
  expect(
    read(aMessage({ chat: { id: -5, type: "group", title: "Team" }, migrate_to_chat_id: -1005 })),
  ).toMatchObject({
    kind: "migrated",
    from: -5,
    to: -1005,
  });
  expect(read(aMessage({ chat: group, migrate_from_chat_id: -5 }))).toEqual({
    kind: "ignored",
    why: "service message",
  });
});

const file = { file_id: "f", file_unique_id: "u" };
test.each([
  [{ photo: [] }, "photo"],
  [{ voice: { ...file, duration: 1 } }, "voice message"],
  [{ document: file }, "file"],
  [{ document: file, animation: { ...file, width: 1, height: 1, duration: 1 } }, "animation"],
  [{ location: { latitude: 0, longitude: 0 } }, "location"],
  [
    {
      location: { latitude: 0, longitude: 0 },
      venue: { location: { latitude: 0, longitude: 0 }, title: "", address: "" },
    },
    "venue",
  ],
  [{ dice: { emoji: "🎲", value: 3 } }, "dice roll"],
])("%j is named as what we cannot read", (fields, what) => {
  expect(read(aMessage(fields))).toEqual({ ...origin, kind: "unsupported", what });
});

test("a caption is kept with what it was written under", () => {
  expect(read(aMessage({ photo: [], caption: "make it look so" }))).toMatchObject({
    what: "photo",
    caption: "make it look so",
  });
});

test("service messages are ignored, but a closed topic is told", () => {
  expect(read(aMessage({ chat: group, new_chat_title: "x" }))).toEqual({
    kind: "ignored",
    why: "service message",
  });
  const topic = { chat: forum, is_topic_message: true as const, message_thread_id: 8 };
  expect(read(aMessage({ ...topic, forum_topic_closed: {} }))).toMatchObject({
    kind: "topic",
    change: "closed",
    place: { topicId: 8 },
  });
  expect(read(aMessage({ ...topic, forum_topic_reopened: {} }))).toMatchObject({
    kind: "topic",
    change: "reopened",
  });
});

const left: ChatMember = { status: "left", user: us };
const kicked: ChatMember = { status: "kicked", user: us, until_date: 0 };
const member: ChatMember = { status: "member", user: us };
test.each([
  [privateChat, member, kicked, "blocked"],
  [privateChat, kicked, member, "unblocked"],
  [group, left, member, "added"],
  [group, member, kicked, "removed"],
  [group, member, left, "removed"],
] as const)("our membership: %#", (chat, old_chat_member, new_chat_member, change) => {
  const my_chat_member = { chat, from: ann, date: 5, old_chat_member, new_chat_member };
  expect(read({ update_id: 1, my_chat_member })).toMatchObject({ kind: "membership", change, date: 5000 });
});

test("a change of rights and updates of other types mean nothing to us", () => {
  const my_chat_member = {
    chat: group,
    from: ann,
    date: 5,
    old_chat_member: member,
    new_chat_member: member,
  };
  expect(read({ update_id: 1, my_chat_member })).toEqual({ kind: "ignored", why: "change of rights" });
  expect(read({ update_id: 1 })).toEqual({ kind: "ignored", why: "update of another type" });
});
