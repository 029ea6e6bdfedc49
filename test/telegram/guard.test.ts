import type { Chat, Message, Update, User } from "grammy/types";
import { expect, test } from "vitest";
import { type GuardRules, guard } from "../../src/telegram/guard.ts";
import { aMessage, anEdit, ann, aTap, forum, group, privateChat, stranger, us } from "./an-update.ts";

const rules: GuardRules = {
  allowedUsers: [111, 777_000],
  botId: 42,
  botUsername: "signoff_bot",
  isEnabled: () => false,
};
const enabled = {
  ...rules,
  isEnabled: (chatId: number, topicId: number) => chatId === group.id && topicId === 0,
};
const text = (fields: Partial<Message> = {}) => aMessage({ text: "hi", ...fields });
const card = (chat: Chat, date = 1): Message => ({ message_id: 9, date, chat, from: us }) as Message;

test("an allowed user is served in private", () => {
  expect(guard(text(), rules)).toBe("serve");
  expect(guard(anEdit({ text: "hi" }), rules)).toBe("serve");
  expect(guard(aTap("v1:allow:r1"), rules)).toBe("serve");
});

function aChannelPost(): Update {
  const chat = { id: -9, type: "channel" as const, title: "c" };
  return { update_id: 1, channel_post: { message_id: 1, date: 1, chat, text: "hi" } };
}

const bot: User = { ...ann, is_bot: true };
const telegram: User = { id: 777_000, is_bot: false, first_name: "Telegram" };
test.each<[string, Update, string]>([
  ["a stranger", text({ from: stranger }), "stranger"],
  ["a stranger's edit", anEdit({ from: stranger, text: "hi" }), "stranger"],
  ["a stranger's command in a group", aMessage({ from: stranger, chat: group, text: "/enable" }), "stranger"],
  ["a bot with an allowed id", text({ from: bot }), "sent by a bot"],
  ["a service account, though the config allows it", text({ from: telegram }), "sent by a bot"],
  ["an anonymous admin", text({ sender_chat: group }), "sent on behalf of a chat"],
  ["a text written by an inline bot", text({ via_bot: us }), "sent via a bot"],
  ["a business account's chat", text({ business_connection_id: "b" }), "not written to this bot"],
  ["a channel", text({ chat: { id: -9, type: "channel", title: "c" } }), "channel"],
  ["a channel post", aChannelPost(), "update of another type"],
])("%s gets nothing", (_who, update, why) => {
  expect(guard(update, rules)).toEqual({ ignore: why });
});

test("a stranger's tap gets the same word everywhere", () => {
  const refusal = { refuse_tap: "This is not yours to answer." };
  expect(guard(aTap("v1:allow:r1", { from: stranger }), rules)).toEqual(refusal);
  expect(guard(aTap("v1:allow:r1", { from: stranger, message: card(group) }), enabled)).toEqual(refusal);
  expect(guard(aTap("garbage", { from: bot }), rules)).toEqual(refusal);
});

test("a group is silent until it is enabled", () => {
  expect(guard(text({ chat: group }), rules)).toEqual({ ignore: "group is not enabled" });
  expect(guard(text({ chat: group }), enabled)).toBe("serve");
});

test("one enabled topic does not open the next", () => {
  const topic = { chat: forum, is_topic_message: true as const, message_thread_id: 8 };
  expect(guard(text(topic), enabled)).toEqual({ ignore: "group is not enabled" });
});

test.each([
  ["/enable", "serve"],
  ["/enable@signoff_bot", "serve"],
  ["/start", "serve"],
  ["/help", "serve"],
  ["/new", { ignore: "group is not enabled" }],
  ["/enable@other_bot", { ignore: "group is not enabled" }],
  ["please /enable", { ignore: "group is not enabled" }],
])("in a group that is not enabled, %s → %j", (command, verdict) => {
  expect(guard(aMessage({ text: command, chat: group }), rules)).toEqual(verdict);
});

test("neither a forwarded nor an edited /enable opens a group", () => {
  const forward_origin = { type: "hidden_user" as const, date: 1, sender_user_name: "x" };
  expect(guard(aMessage({ text: "/enable", chat: group, forward_origin }), rules)).toEqual({
    ignore: "group is not enabled",
  });
  expect(guard(anEdit({ text: "/enable", chat: group }), rules)).toEqual({ ignore: "group is not enabled" });
});

test("in a group that is not enabled only the enable button works", () => {
  expect(guard(aTap("v1:enable:t1", { message: card(group) }), rules)).toBe("serve");
  expect(guard(aTap("v1:allow:r1", { message: card(group) }), rules)).toEqual({
    refuse_tap: "This group is not enabled. Send /enable first.",
  });
  expect(guard(aTap("v1:allow:r1", { message: card(group) }), enabled)).toBe("serve");
});

test("a tap on a card that Telegram dropped is served, for its topic is not known here", () => {
  expect(guard(aTap("v1:allow:r1", { message: { chat: group, message_id: 9, date: 0 } }), rules)).toBe(
    "serve",
  );
});

test("a group that moved is noticed whoever moved it", () => {
  expect(guard(aMessage({ from: stranger, chat: group, migrate_to_chat_id: -7 }), rules)).toBe("serve");
});

test("being removed from a group counts from anyone; being added or blocked only from allowed users", () => {
  const change = (from: User, chat: Chat, status: "left" | "member") => ({
    update_id: 1,
    my_chat_member: {
      chat,
      from,
      date: 1,
      old_chat_member: { status: "restricted", user: us } as never,
      new_chat_member: { status, user: us },
    },
  });
  expect(guard(change(stranger, group, "left"), rules)).toBe("serve");
  expect(guard(change(ann, group, "member"), rules)).toBe("serve");
  expect(guard(change(stranger, group, "member"), rules)).toEqual({ ignore: "stranger" });
  expect(guard(change(stranger, privateChat, "left"), rules)).toEqual({ ignore: "stranger" });
});
