import { describe, expect, onTestFinished, test } from "vitest";
import type { CardId, ThreadId } from "../../src/core/ids.ts";
import type { Lane } from "../../src/core/lane.ts";
import { createClient } from "../../src/telegram/client.ts";
import type { Clock } from "../../src/telegram/clock.ts";
import { createDeliver } from "../../src/telegram/deliver.ts";
import { createOutboxSender } from "../../src/telegram/outbox.ts";
import { writePayload } from "../../src/telegram/outgoing.ts";
import { type Simulator, startSimulator } from "../support/bot-api/simulator.ts";
import { hastyClock } from "../support/hasty-clock.ts";
import { type TempStore, tempStore } from "../support/temp-store.ts";

/** A store, a Telegram with two private chats, and a sender between them; `restart` makes another one over the same file. */
async function setUp() {
  const clock = hastyClock();
  const telegram = await startSimulator({ now: () => clock.now() });
  onTestFinished(() => telegram.close());
  const ada = telegram.privateChat(telegram.user({ id: 1, first_name: "Ada" }));
  const bob = telegram.privateChat(telegram.user({ id: 2, first_name: "Bob" }));
  const store = tempStore();
  const home = store.thread("home", 1);
  const away = store.thread("away", 2);
  return { telegram, clock, ada, bob, home, away, store, ...running(telegram, store, clock) };
}

function running(telegram: Simulator, store: TempStore, clock: Clock) {
  const events: string[] = [];
  const sender = createOutboxSender({
    rows: store.outbox,
    deliver: createDeliver(createClient({ token: telegram.token, apiRoot: telegram.root })),
    placeOf: (threadId) => store.threads.get(threadId),
    clock,
    random: Math.random,
    events: {
      gone: (threadId, why) => events.push(`gone ${threadId}: ${why}`),
      migrated(threadId, toChatId) {
        events.push(`migrated ${threadId}`);
        store.threads.moveChat(store.threads.get(threadId).chatId, toChatId);
      },
      rejected: (_row, description) => events.push(`rejected: ${description}`),
      delayed: (_row, why) => events.push(`delayed: ${why}`),
      trouble: (error) => events.push(`trouble: ${String(error)}`),
    },
  });
  onTestFinished(() => sender.stop(0));
  return {
    events,
    sender,
    send: (
      threadId: ThreadId,
      lane: Lane,
      text: string,
      more: { cardId?: CardId; batch?: string } = {},
    ): void => {
      store.outbox.send(
        { threadId, lane, payload: writePayload({ text, entities: [] }), ...more },
        clock.now(),
      );
      sender.wake();
    },
    edit: (cardId: CardId, lane: Lane, text: string): void => {
      store.outbox.edit({ cardId, lane, payload: writePayload({ text, entities: [] }) }, clock.now());
      sender.wake();
    },
    /** All rows are finished. */
    idle: () => waitFor(() => store.outboxStates().every((row) => !/(queued|sending)$/.test(row))),
  };
}

const texts = (chat: { fromBot(): { text: string }[] }) => chat.fromBot().map((message) => message.text);

describe("nothing is lost", () => {
  test("when the network is away, however long", async () => {
    const { ada, events, home, send, telegram } = await setUp();
    await telegram.network.down();
    for (const part of ["1", "2", "3"]) send(home, "answer", part, { batch: "b" });
    await waitFor(() => events.length >= 4);
    await telegram.network.up();
    await ada.untilMessage("3");
    expect(texts(ada)).toEqual(["1", "2", "3"]);
  });

  test("when a gateway answers with a page, or Telegram with an error of its own", async () => {
    const { ada, home, send, telegram } = await setUp();
    telegram.faults.next("sendMessage", "502html");
    telegram.faults.next("sendMessage", "500");
    telegram.faults.next("sendMessage", "reset_before");
    send(home, "answer", "the answer");
    await ada.untilMessage("the answer");
    expect(texts(ada)).toEqual(["the answer"]);
  });

  test("when the connection breaks after the message was taken: it comes twice rather than never", async () => {
    const { ada, home, send, store, idle, telegram } = await setUp();
    telegram.faults.next("sendMessage", "reset_after");
    const cardId = store.card("c", home);
    send(home, "request", "May I?", { cardId });
    await idle();
    expect(texts(ada)).toEqual(["May I?", "May I?"]);
    expect(store.cards.get(cardId)?.messageId).toBe(ada.fromBot().at(-1)?.id);
  });

  test("when we die while a message is on its way", async () => {
    const { ada, clock, home, send, sender, store, telegram } = await setUp();
    telegram.faults.always("sendMessage", "hang");
    send(home, "answer", "the answer");
    await telegram.until(() => telegram.calls("sendMessage").length === 1, "the call");
    expect(store.outboxStates()).toEqual([expect.stringMatching(/sending$/)]);
    // A kill leaves the row as it is; only the old sender must not come back to it.
    const again = store.reopen();
    telegram.faults.clear();
    const next = running(telegram, again, clock);
    expect(again.outbox.recover(clock.now())).toBe(1);
    next.sender.wake();
    await ada.untilMessage("the answer");
    await sender.stop(0);
    expect(texts(ada)).toEqual(["the answer"]);
  });
});

describe("a flood wait", () => {
  test("pauses its own chat and no other", async () => {
    const { ada, away, bob, home, idle, send, telegram } = await setUp();
    telegram.faults.next("sendMessage", {
      kind: "429",
      retryAfter: 100,
      when: (params) => params["chat_id"] === 1,
    });
    send(home, "answer", "late");
    await telegram.until(() => telegram.calls("sendMessage").length === 1, "the call");
    send(home, "request", "urgent");
    send(away, "progress", "on time");
    await bob.untilMessage("on time");
    expect(texts(ada)).toEqual([]);
    await idle();
    expect(texts(ada)).toEqual(["urgent", "late"]);
  });

  test("never happens to a group that gets a lot at once", async () => {
    const { idle, send, store, telegram } = await setUp();
    const team = telegram.group({ id: -100 });
    const threadId = store.thread("team", -100);
    telegram.flood.on();
    for (let part = 1; part <= 30; part++) send(threadId, "answer", `part ${part}`, { batch: "b" });
    await idle();
    expect(team.fromBot()).toHaveLength(30);
    expect(telegram.calls("sendMessage")).toHaveLength(30);
  });
});

test("many edits become few calls, and the last one stays", async () => {
  const { ada, edit, home, idle, send, store, telegram } = await setUp();
  const cardId = store.card("c", home);
  send(home, "progress", "0 %", { cardId });
  for (let step = 1; step <= 100; step++) edit(cardId, "progress", `${step} %`);
  await ada.untilMessage("100 %");
  await idle();
  expect(texts(ada)).toEqual(["100 %"]);
  expect(telegram.calls().length).toBeLessThanOrEqual(2);
});

test("the parts of an answer stay together though a request comes in between", async () => {
  const { ada, home, idle, send } = await setUp();
  for (const part of ["1", "2", "3", "4", "5"]) send(home, "answer", part, { batch: "b" });
  await ada.untilMessage("2");
  send(home, "request", "May I?");
  await idle();
  expect(texts(ada)).toEqual(["1", "2", "3", "4", "5", "May I?"]);
});

test("a blocked bot is told of once for every row", async () => {
  const { ada, events, home, idle, send } = await setUp();
  ada.block();
  send(home, "answer", "hello");
  await idle();
  expect(events).toEqual(["gone home: Forbidden: bot was blocked by the user"]);
});

test("what was meant for a group goes to the supergroup it became", async () => {
  const { send, store, telegram } = await setUp();
  const team = telegram.migrate(telegram.group({ id: -5, kind: "group" }), -1005);
  send(store.thread("team", -5), "answer", "hello");
  await team.untilMessage("hello");
  expect(texts(team)).toEqual(["hello"]);
});

test("a shutdown brings out what is queued", async () => {
  const { ada, home, send, sender } = await setUp();
  for (const text of ["1", "2", "3", "4"]) send(home, "answer", text);
  expect(await sender.flush(60_000)).toBe("all sent");
  expect(texts(ada)).toEqual(["1", "2", "3", "4"]);
});

/** For what the simulated Telegram cannot see. */
async function waitFor(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 20_000, interval: 10 }).toBe(true);
}
