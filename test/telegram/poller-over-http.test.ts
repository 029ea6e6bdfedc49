import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/telegram/client.ts";
import { createPoller } from "../../src/telegram/poller.ts";
import { startSimulator } from "../support/bot-api/simulator.ts";
import { hastyClock } from "../support/hasty-clock.ts";
import { tempStore } from "../support/temp-store.ts";

const patience = { timeout: 20_000, interval: 10 };

/** A person, their chat, an inbox, and pollers that feed it. */
async function setUp() {
  const telegram = await startSimulator();
  onTestFinished(() => telegram.close());
  const ada = telegram.user({ id: 1, first_name: "Ada" });
  const chat = telegram.privateChat(ada);
  const { db, inbox } = tempStore();
  const events: string[] = [];

  function startPoller(options: { token?: string; timeout?: number; speed?: number } = {}) {
    const poller = createPoller({
      api: createClient({ token: options.token ?? telegram.token, apiRoot: telegram.root }).api,
      inbox,
      clock: hastyClock(options.speed ?? 1),
      random: Math.random,
      timeout: options.timeout ?? 30,
      events: {
        arrived: () => events.push("arrived"),
        conflict: (description) => events.push(description),
        refused: (description) => events.push(description),
        trouble: (error) => events.push(String(error)),
      },
    });
    poller.start();
    onTestFinished(() => poller.stop());
    return poller;
  }

  /** Telegram is asked, and has nothing left to tell. */
  const upToDate = () =>
    expect.poll(() => telegram.isPolling() && telegram.pendingUpdates() === 0, patience).toBe(true);
  const polling = () => expect.poll(() => telegram.isPolling(), patience).toBe(true);
  const received = () =>
    db.prepare<[], string>("SELECT body FROM inbox ORDER BY seq").pluck().all().map(textOf);
  return { telegram, ada, chat, events, received, startPoller, upToDate, polling };
}

function textOf(body: string): unknown {
  return JSON.parse(body).message?.text;
}

test("messages become rows in their order, and are confirmed after that", async () => {
  const { ada, chat, received, startPoller, upToDate } = await setUp();
  ada.sends(chat, "one");
  ada.sends(chat, "two");
  startPoller();
  await upToDate();
  ada.sends(chat, "three");
  await upToDate();
  expect(received()).toEqual(["one", "two", "three"]);
});

test("the kinds of updates are asked for by name", async () => {
  const { polling, startPoller, telegram } = await setUp();
  startPoller();
  await polling();
  expect(telegram.calls("getUpdates")[0]?.params).toEqual({
    timeout: 30,
    allowed_updates: ["message", "edited_message", "callback_query", "my_chat_member"],
  });
});

test("an update that is delivered twice is one row", async () => {
  const { ada, chat, received, startPoller, telegram, upToDate } = await setUp();
  telegram.deliverTwice();
  ada.sends(chat, "once");
  startPoller();
  await expect.poll(() => telegram.calls("getUpdates").length, patience).toBeGreaterThanOrEqual(3);
  await upToDate();
  expect(received()).toEqual(["once"]);
});

test("what a poller got and never confirmed, the next one gets again and ignores", async () => {
  const { ada, chat, events, received, startPoller, telegram, upToDate } = await setUp();
  ada.sends(chat, "hello");
  // The confirming poll never reaches Telegram.
  telegram.faults.next("getUpdates", { kind: "hang", when: (params) => params["offset"] !== undefined });
  const first = startPoller();
  await telegram.until(() => telegram.calls("getUpdates").length === 2, "the confirming poll");
  await first.stop();
  expect(telegram.pendingUpdates()).toBe(1);
  startPoller();
  await upToDate();
  expect(received()).toEqual(["hello"]);
  expect(events).toEqual(["arrived"]);
});

test("after resets, pages of a gateway and a dead network polling goes on", async () => {
  const { ada, chat, polling, received, startPoller, telegram, upToDate } = await setUp();
  for (const fault of ["reset_before", "502html", "500", "429"] as const)
    telegram.faults.next("getUpdates", fault);
  startPoller({ speed: 10 });
  await polling();
  await telegram.network.down();
  ada.sends(chat, "hello");
  await telegram.network.up();
  await upToDate();
  expect(received()).toEqual(["hello"]);
});

test("a poll that Telegram never answers is cut off, and the next one brings what came meanwhile", async () => {
  const { ada, chat, received, startPoller, telegram, upToDate } = await setUp();
  telegram.faults.next("getUpdates", "hang");
  ada.sends(chat, "hello");
  startPoller({ timeout: 1, speed: 20 });
  await upToDate();
  expect(received()).toEqual(["hello"]);
});

test("a second poller is named as such", async () => {
  const { events, polling, startPoller, telegram } = await setUp();
  startPoller();
  await polling();
  const other = createClient({ token: telegram.token, apiRoot: telegram.root }).api;
  const rival = other.getUpdates({ timeout: 50 });
  // The newcomer sends ours away, and ours comes back and sends the newcomer away.
  await expect(rival).rejects.toThrow("Conflict");
  expect(events).toEqual([expect.stringContaining("Conflict: terminated by other getUpdates request")]);
});

test("a wrong token ends polling with Telegram's word for it", async () => {
  const { events, startPoller } = await setUp();
  startPoller({ token: "987654321:a-token-of-no-value-that-is-wrong" });
  await expect.poll(() => events).toEqual(["Unauthorized"]);
});

test("stopping ends an open poll at once", async () => {
  const { events, polling, startPoller, telegram } = await setUp();
  const poller = startPoller();
  await polling();
  await poller.stop();
  await expect.poll(() => telegram.isPolling(), patience).toBe(false);
  expect(events).toEqual([]);
});
