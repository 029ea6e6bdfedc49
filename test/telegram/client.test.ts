import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { call } from "../../src/telegram/call.ts";
import { createClient, grammySignal } from "../../src/telegram/client.ts";
import type { FaultGiven } from "../support/bot-api/faults.ts";
import { type Simulator, startSimulator } from "../support/bot-api/simulator.ts";

let telegram: Simulator;
beforeAll(async () => {
  telegram = await startSimulator();
  telegram.privateChat(telegram.user({ id: 1, first_name: "Ada" }));
});
afterAll(() => telegram.close());
beforeEach(() => telegram.faults.clear());

/** What becomes of a message to chat 1. */
async function say(options: { chatId?: number; token?: string; fault?: FaultGiven } = {}) {
  if (options.fault !== undefined) telegram.faults.next("sendMessage", options.fault);
  const { api } = createClient({ token: options.token ?? telegram.token, apiRoot: telegram.root });
  const result = await call(() => api.sendMessage(options.chatId ?? 1, "hello"));
  expect(JSON.stringify(result)).not.toContain(telegram.token);
  return result;
}

test("a call that works returns what Telegram answered", async () => {
  expect(await say()).toMatchObject({ kind: "ok", value: { text: "hello" } });
});

test("a root that ends in a slash is the same root", async () => {
  const { api } = createClient({ token: telegram.token, apiRoot: `${telegram.root}/` });
  expect(await call(() => api.getMe())).toMatchObject({ kind: "ok" });
});

describe("what Telegram answers", () => {
  test.each([
    [409, "Conflict: terminated by other getUpdates request", "conflict"],
    [401, "Unauthorized", "unauthorized"],
    [404, "Not Found", "unauthorized"],
    [404, "Not Found: method not found", "rejected"],
    [413, "Request Entity Too Large", "rejected"],
    [500, "Internal Server Error: restart", "transient"],
    [403, "Forbidden: bot was blocked by the user", "gone"],
    [403, "Forbidden: the group chat was deleted", "gone"],
    [400, "Bad Request: chat not found", "gone"],
    [400, "Bad Request: message thread not found", "gone"],
    [400, "Bad Request: TOPIC_CLOSED", "gone"],
    [400, "Bad Request: not enough rights to send text messages to the chat", "gone"],
    [400, "Bad Request: message to edit not found", "message_gone"],
    [400, "Bad Request: message can't be edited", "message_gone"],
    [400, "Bad Request: message to react not found", "message_gone"],
    [
      400,
      "Bad Request: message is not modified: specified new message content and reply markup are exactly the same",
      "not_modified",
    ],
    [400, "Bad Request: message is too long", "rejected"],
    [400, "Bad Request: MESSAGE_TOO_LONG", "rejected"],
    [400, "Bad Request: REACTION_INVALID", "rejected"],
  ])("%i %s is %s", async (code, description, kind) => {
    expect(await say({ fault: { kind: "error", code, description } })).toMatchObject({ kind });
  });

  test.each([
    ["can't parse entities: Character '.' is reserved and must be escaped", "text"],
    ["can't parse MessageEntity: Unsupported type specified", "text"],
    ["entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 10", "text"],
    ["entity begins in a middle of a UTF-16 symbol at byte offset 4", "text"],
    ["receive an entity with incorrect offset -1", "text"],
    ["entity URL 'src/x.ts:12' is invalid: Wrong HTTP URL", "text"],
    ["ENTITIES_TOO_LONG", "text"],
    ["BUTTON_DATA_INVALID", "buttons"],
    ["BUTTON_URL_INVALID", "buttons"],
    ["can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard", "buttons"],
    ["inline keyboard button URL 'x' is invalid: Wrong HTTP URL", "buttons"],
    ["reply markup is too long", "buttons"],
  ])("a refusal of the looks is told apart from others: %s", async (reason, part) => {
    const description = `Bad Request: ${reason}`;
    expect(await say({ fault: { kind: "error", code: 400, description } })).toEqual({
      kind: "refused_formatting",
      part,
      description,
    });
  });

  test("a flood wait says how long", async () => {
    expect(await say({ fault: { kind: "429", retryAfter: 17 } })).toEqual({
      kind: "retry_after",
      seconds: 17,
    });
  });

  test("a group that became a supergroup says where it went", async () => {
    const team = telegram.group({ id: -5, kind: "group" });
    telegram.migrate(team, -1005);
    expect(await say({ chatId: -5 })).toEqual({ kind: "migrated", toChatId: -1005 });
  });

  test("a wrong token is told without the token", async () => {
    const token = "987654321:a-token-of-no-value-that-is-wrong";
    const result = await say({ token });
    expect(result).toEqual({ kind: "unauthorized", description: "Unauthorized" });
  });
});

describe("what the network does", () => {
  test.each<FaultGiven>(["reset_before", "reset_after", "502html"])("%s may work later", async (fault) => {
    expect(await say({ fault })).toMatchObject({ kind: "transient", from: "network" });
  });

  test("the code of the failure is told", async () => {
    const { api } = createClient({ token: telegram.token, apiRoot: "http://127.0.0.1:1" });
    expect(await call(() => api.getMe())).toEqual({
      kind: "transient",
      from: "network",
      message: "Network request for 'getMe' failed! (ECONNREFUSED)",
    });
  });

  test("a call that was broken off may work later", async () => {
    telegram.faults.next("getMe", "hang");
    const { api } = createClient({ token: telegram.token, apiRoot: telegram.root });
    const abort = new AbortController();
    const result = call(() => api.getMe(grammySignal(abort.signal)));
    await telegram.until(() => telegram.calls("getMe").at(-1)?.answer === undefined, "the call");
    abort.abort();
    expect(await result).toMatchObject({ kind: "transient", from: "network" });
  });
});

test("what neither Telegram nor the network has done is thrown", async () => {
  const bug = new TypeError("x is not a function");
  await expect(call(() => Promise.reject(bug))).rejects.toBe(bug);
});
