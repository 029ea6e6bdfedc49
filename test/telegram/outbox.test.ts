import { describe, expect, onTestFinished, test } from "vitest";
import type { CardId, ThreadId } from "../../src/core/ids.ts";
import type { Lane } from "../../src/core/lane.ts";
import type { CallResult } from "../../src/telegram/call.ts";
import type { Delivered } from "../../src/telegram/deliver.ts";
import { createOutboxSender } from "../../src/telegram/outbox.ts";
import { writePayload } from "../../src/telegram/outgoing.ts";
import { manualClock } from "../support/manual-clock.ts";
import { tempStore } from "../support/temp-store.ts";

type Call = { at: number; chatId: number; text: string };
type Answer = CallResult<Delivered> | Promise<CallResult<Delivered>> | undefined;

const ok: CallResult<Delivered> = { kind: "ok", value: {} };
const noNetwork: CallResult<Delivered> = { kind: "transient", message: "ECONNREFUSED", from: "network" };

/** A sender over a real store, a clock of the test's, and a Telegram that answers as the test says. */
function setUp(answer: (call: Call, signal: AbortSignal) => Answer = () => undefined) {
  const store = tempStore();
  const clock = manualClock();
  const calls: Call[] = [];
  const events: string[] = [];
  let messageId = 0;
  const sender = createOutboxSender({
    rows: store.outbox,
    clock,
    random: () => 0,
    placeOf: (threadId) => store.threads.get(threadId),
    async deliver(parcel, to, signal) {
      const text = "text" in parcel.content ? parcel.content.text : parcel.op;
      const call = { at: clock.now(), chatId: to.chatId, text };
      calls.push(call);
      messageId += 1;
      return (await answer(call, signal)) ?? { kind: "ok", value: { messageId } };
    },
    events: {
      gone: (threadId, why) => events.push(`gone ${threadId}: ${why}`),
      migrated(threadId, toChatId) {
        events.push(`migrated ${threadId}`);
        store.threads.moveChat(store.threads.get(threadId).chatId, toChatId);
      },
      rejected: (row, description) => events.push(`rejected ${row.op}: ${description}`),
      delayed: (_row, why, wait) => events.push(`delayed ${wait}: ${why}`),
      trouble: (error) => events.push(`trouble: ${String(error)}`),
    },
  });
  onTestFinished(async () => {
    const stopped = sender.stop(0);
    await clock.advance(0);
    await stopped;
  });

  return {
    store,
    clock,
    calls,
    events,
    sender,
    said: () => calls.map((call) => call.text),
    times: () => calls.map((call) => call.at),
    send: (
      threadId: ThreadId,
      lane: Lane,
      text: string,
      more: { cardId?: CardId; batch?: string } = {},
    ): void => {
      store.outbox.send({ threadId, lane, payload: aPayload(text), ...more }, clock.now());
      sender.wake();
    },
    edit: (cardId: CardId, lane: Lane, text: string): void => {
      store.outbox.edit({ cardId, lane, payload: aPayload(text) }, clock.now());
      sender.wake();
    },
  };
}

function aPayload(text: string): string {
  return writePayload({ text, entities: [] });
}

/** A call that hangs until we give it up. */
function untilAborted(signal: AbortSignal): Promise<CallResult<Delivered>> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(noNetwork)));
}

/** A promise that the test keeps. */
function later<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

describe("pace", () => {
  test("a chat takes three at once, then one a second", async () => {
    const { clock, send, store, times } = setUp();
    const home = store.thread("home", 1);
    for (const text of ["1", "2", "3", "4", "5"]) send(home, "answer", text);
    await clock.advance(10_000);
    expect(times()).toEqual([0, 0, 0, 1000, 2000]);
  });

  test("a group takes twenty in a minute, and no more than eight of them are progress", async () => {
    const { clock, calls, send, store } = setUp();
    const team = store.thread("team", -100);
    for (let count = 0; count < 30; count++) send(team, "progress", "progress");
    await clock.advance(59_000);
    expect(calls).toHaveLength(8);
    for (let count = 0; count < 30; count++) send(team, "answer", "answer");
    await clock.advance(60_000);
    const within = (from: number) => calls.filter(({ at }) => at >= from && at < from + 60_000);
    const most = Math.max(...calls.map(({ at }) => within(at).length));
    const mostProgress = Math.max(
      ...calls.map(({ at }) => within(at).filter(({ text }) => text === "progress").length),
    );
    expect({ most, mostProgress }).toEqual({ most: 20, mostProgress: 8 });
  });

  test("over all chats there are thirty calls a second", async () => {
    const { clock, send, store, times } = setUp();
    for (let chat = 1; chat <= 40; chat++) send(store.thread(`t${chat}`, chat), "answer", "hello");
    await clock.advance(1000);
    expect(times()).toEqual([...Array<number>(30).fill(0), ...Array<number>(10).fill(1000)]);
  });

  test("a progress card changes every two seconds at most, and then to the newest", async () => {
    const { clock, edit, calls, send, store } = setUp();
    const home = store.thread("home", 1);
    const cardId = store.card("c", home);
    send(home, "progress", "0 %", { cardId });
    for (let step = 1; step <= 50; step++) {
      await clock.advance(100);
      edit(cardId, "progress", `${step} %`);
    }
    await clock.advance(10_000);
    expect(calls.map(({ at, text }) => `${at}: ${text}`)).toEqual([
      "0: 0 %",
      "2000: 19 %",
      "4000: 39 %",
      "6000: 50 %",
    ]);
  });

  test("a clock that is set back holds nothing up", async () => {
    const { calls, clock, send, store } = setUp();
    const home = store.thread("home", 1);
    await clock.advance(10_000_000);
    for (const text of ["1", "2", "3", "4"]) send(home, "answer", text);
    await clock.settle();
    clock.setBack(3_600_000);
    await clock.advance(1000);
    expect(calls).toHaveLength(4);
  });

  test("the outcome of a request does not wait for the pace of progress", async () => {
    const { clock, edit, send, store, times } = setUp();
    const home = store.thread("home", 1);
    const cardId = store.card("c", home);
    send(home, "request", "May I?", { cardId });
    await clock.advance(100);
    edit(cardId, "request", "Allowed");
    await clock.advance(0);
    expect(times()).toEqual([0, 100]);
  });
});

describe("order", () => {
  test("what is urgent overtakes what waits", async () => {
    const { clock, said, send, store } = setUp();
    const home = store.thread("home", 1);
    send(home, "progress", "progress");
    send(home, "answer", "answer");
    send(home, "request", "request");
    await clock.advance(5000);
    expect(said()).toEqual(["request", "answer", "progress"]);
  });

  test("a request that comes in the middle of an answer waits for its last part", async () => {
    const { clock, said, send, store } = setUp();
    const home = store.thread("home", 1);
    for (const part of ["1", "2", "3", "4", "5"]) send(home, "answer", part, { batch: "b" });
    await clock.advance(1000);
    send(home, "request", "request");
    await clock.advance(10_000);
    expect(said()).toEqual(["1", "2", "3", "4", "5", "request"]);
  });

  test("topics of one chat share its pace, one call at a time", async () => {
    const first = later<CallResult<Delivered>>();
    const { clock, said, send, store } = setUp(({ text }) => (text === "one" ? first.promise : undefined));
    send(store.thread("t1", -100, 11), "answer", "one");
    await clock.settle();
    send(store.thread("t2", -100, 12), "answer", "two");
    await clock.advance(10_000);
    expect(said()).toEqual(["one"]);
    first.resolve(ok);
    await clock.settle();
    expect(said()).toEqual(["one", "two"]);
  });

  test("a chat in which a call hangs holds up no other", async () => {
    const { clock, said, send, store } = setUp(({ chatId }, signal) =>
      chatId === 1 ? untilAborted(signal) : undefined,
    );
    send(store.thread("slow", 1), "request", "hangs");
    send(store.thread("fine", 2), "progress", "goes");
    await clock.settle();
    expect(said()).toEqual(["hangs", "goes"]);
  });
});

describe("edits", () => {
  test("an edit to what was last sent makes no call", async () => {
    const { clock, edit, said, send, store } = setUp();
    const home = store.thread("home", 1);
    const cardId = store.card("c", home);
    send(home, "progress", "0 %", { cardId });
    await clock.settle();
    edit(cardId, "progress", "0 %");
    send(home, "progress", "next");
    await clock.advance(10_000);
    expect(said()).toEqual(["0 %", "next"]);
  });

  test("an edit that changed nothing counts as done", async () => {
    const { clock, edit, send, store } = setUp(({ text }) =>
      text === "same" ? { kind: "not_modified" } : undefined,
    );
    const home = store.thread("home", 1);
    const cardId = store.card("c", home);
    send(home, "request", "first", { cardId });
    await clock.settle();
    edit(cardId, "request", "same");
    await clock.settle();
    expect(store.outboxStates()).toEqual([`${aPayload("first")} sent`, `${aPayload("same")} sent`]);
  });

  test("an edit of a deleted message is dropped", async () => {
    const { clock, edit, events, send, store } = setUp(({ text }) =>
      text === "late" ? { kind: "message_gone", why: "message to edit not found" } : undefined,
    );
    const home = store.thread("home", 1);
    const cardId = store.card("c", home);
    send(home, "request", "first", { cardId });
    await clock.settle();
    edit(cardId, "request", "late");
    await clock.settle();
    expect(store.outboxStates()[1]).toBe(`${aPayload("late")} dropped`);
    expect(events).toEqual([]);
  });

  test("a card that came back as another message is known by that one", async () => {
    const { clock, edit, send, store } = setUp(({ text }) =>
      text === "again" ? { kind: "ok", value: { messageId: 555 } } : undefined,
    );
    const home = store.thread("home", 1);
    const cardId = store.card("c", home);
    send(home, "request", "first", { cardId });
    await clock.settle();
    edit(cardId, "request", "again");
    await clock.settle();
    expect(store.cards.get(cardId)?.messageId).toBe(555);
  });
});

describe("when Telegram or the network refuses", () => {
  test("a flood wait pauses that chat only, and exactly as long", async () => {
    let flooded = true;
    const { calls, clock, send, store } = setUp(({ chatId }) => {
      if (chatId !== 1 || !flooded) return undefined;
      flooded = false;
      return { kind: "retry_after", seconds: 30 };
    });
    const paused = store.thread("paused", 1);
    send(paused, "answer", "late");
    await clock.settle();
    send(paused, "request", "urgent");
    send(store.thread("fine", 2), "answer", "on time");
    await clock.advance(30_000);
    expect(calls).toEqual([
      { at: 0, chatId: 1, text: "late" },
      { at: 0, chatId: 2, text: "on time" },
      { at: 30_000, chatId: 1, text: "urgent" },
      { at: 30_000, chatId: 1, text: "late" },
    ]);
  });

  test("without a network an answer is tried for ever, ever more slowly, and goes out in the end", async () => {
    let online = false;
    const { clock, send, store, times } = setUp(() => (online ? undefined : noNetwork));
    send(store.thread("home", 1), "answer", "the final answer");
    await clock.advance(100_000);
    expect(times()).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 63_000]);
    await clock.advance(3 * 60 * 60 * 1000);
    online = true;
    await clock.advance(60_000);
    expect(store.outboxStates()).toEqual([`${aPayload("the final answer")} sent`]);
  });

  test("after an outage the order is the old one, and progress says only the newest", async () => {
    let online = false;
    const { clock, edit, said, send, store, calls } = setUp(() => (online ? undefined : noNetwork));
    const home = store.thread("home", 1);
    const cardId = store.card("c", home);
    send(home, "progress", "0 %", { cardId });
    for (const part of ["1", "2", "3"]) send(home, "answer", part, { batch: "b" });
    send(home, "answer", "next answer");
    await clock.advance(10 * 60_000);
    for (let step = 1; step <= 9; step++) edit(cardId, "progress", `${step}0 %`);
    await clock.advance(10 * 60_000);
    calls.length = 0;
    online = true;
    await clock.advance(5 * 60_000);
    expect(said().filter((text) => !text.includes("%"))).toEqual(["1", "2", "3", "next answer"]);
    expect(said().filter((text) => text.includes("%"))).toEqual(["90 %"]);
  });

  test("what Telegram itself keeps failing on does not keep later requests from being asked", async () => {
    const { clock, said, send, store } = setUp(({ text }) =>
      text === "poison" ? { kind: "transient", message: "500", from: "server" } : undefined,
    );
    const home = store.thread("home", 1);
    send(home, "request", "poison");
    send(home, "request", "fine");
    await clock.advance(15 * 60_000);
    expect(said().filter((text) => text === "fine")).toEqual(["fine"]);
  });

  test("a chat that is gone ends its rows and is told of", async () => {
    const { clock, events, send, store } = setUp(() => ({
      kind: "gone",
      why: "Forbidden: bot was blocked by the user",
    }));
    const home = store.thread("home", 1);
    send(home, "answer", "hello");
    await clock.advance(60_000);
    expect(store.outboxStates()).toEqual([`${aPayload("hello")} failed`]);
    expect(events).toEqual(["gone home: Forbidden: bot was blocked by the user"]);
  });

  test("after a group became a supergroup the row goes to the new chat", async () => {
    const { calls, clock, events, send, store } = setUp(({ chatId }) =>
      chatId === -5 ? { kind: "migrated", toChatId: -1005 } : undefined,
    );
    send(store.thread("team", -5), "answer", "hello");
    await clock.advance(1000);
    expect(calls.map((call) => call.chatId)).toEqual([-5, -1005]);
    expect(events[0]).toBe("migrated team");
  });

  test("a row that Telegram refuses for good fails alone", async () => {
    const { clock, events, said, send, store } = setUp(({ text }) =>
      text === "bad"
        ? { kind: "rejected", code: 400, description: "Bad Request: message is too long" }
        : undefined,
    );
    const home = store.thread("home", 1);
    send(home, "answer", "bad");
    send(home, "answer", "good");
    await clock.settle();
    expect(said()).toEqual(["bad", "good"]);
    expect(events).toEqual(["rejected send: 400: Bad Request: message is too long"]);
  });

  test("a payload that is none of ours fails without a call", async () => {
    const { calls, clock, events, sender, store } = setUp();
    store.outbox.send({ threadId: store.thread("home", 1), lane: "answer", payload: "{" }, 0);
    sender.wake();
    await clock.settle();
    expect({ calls, events }).toEqual({ calls: [], events: ["rejected send: the payload cannot be read"] });
  });
});

test("an outcome that the disk refuses is written later, and the message is not sent twice", async () => {
  const { clock, said, send, store } = setUp();
  store.db.exec(
    `CREATE TRIGGER full BEFORE UPDATE ON outbox WHEN new.state = 'sent' BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  );
  const home = store.thread("home", 1);
  send(home, "answer", "hello");
  await clock.advance(60_000);
  store.db.exec("DROP TRIGGER full");
  await clock.advance(10_000);
  expect(said()).toEqual(["hello"]);
  expect(store.outboxStates()).toEqual([`${aPayload("hello")} sent`]);
});

test("a row that a transaction has yet to commit is not seen", async () => {
  const { calls, clock, send, store } = setUp();
  const home = store.thread("home", 1);
  const work = store.db.transaction(() => {
    send(home, "answer", "never mind");
    throw new Error("rolled back");
  });
  expect(work).toThrow("rolled back");
  await clock.settle();
  expect(calls).toEqual([]);
});

describe("a shutdown", () => {
  test("gets requests and answers out and leaves progress", async () => {
    const { clock, said, send, sender, store } = setUp();
    const home = store.thread("home", 1);
    send(home, "progress", "progress");
    for (const part of ["1", "2", "3", "4"]) send(home, "answer", part);
    const flushed = sender.flush(5000);
    await clock.advance(5000);
    expect(await flushed).toBe("all sent");
    expect(said()).toEqual(["1", "2", "3", "4"]);
  });

  test("tries at once what was waiting for another try", async () => {
    let online = false;
    const { clock, send, sender, store } = setUp(() => (online ? undefined : noNetwork));
    send(store.thread("home", 1), "answer", "hello");
    await clock.advance(40_000);
    online = true;
    const flushed = sender.flush(100);
    await clock.advance(100);
    expect(await flushed).toBe("all sent");
  });

  test("does not wait longer than it may", async () => {
    const { clock, send, sender, store } = setUp(() => noNetwork);
    send(store.thread("home", 1), "answer", "hello");
    const flushed = sender.flush(3000);
    await clock.advance(3000);
    expect(await flushed).toBe("some left");
  });

  test("cuts off a call that does not end, and its row is sent again at the next start", async () => {
    const { clock, send, sender, store } = setUp((_call, signal) => untilAborted(signal));
    send(store.thread("home", 1), "answer", "hello");
    await clock.settle();
    const stopped = sender.stop(2000);
    await clock.advance(2000);
    await stopped;
    expect(store.outboxStates()).toEqual([`${aPayload("hello")} queued`]);
  });

  test("starts nothing afterwards", async () => {
    const { calls, clock, send, sender, store } = setUp();
    await sender.stop();
    send(store.thread("home", 1), "answer", "hello");
    await clock.advance(60_000);
    expect(calls).toEqual([]);
    expect(await sender.flush(1000)).toBe("some left");
  });
});
