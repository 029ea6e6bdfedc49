import { describe, expect, test } from "vitest";
import { type TempStore, tempStore } from "../support/temp-store.ts";

/** Sends everything there is, one row at a time as the sender would; returns the payloads in that order. */
function sendAll({ outbox }: TempStore, now = 1): string[] {
  const said: string[] = [];
  for (let row = claimNext(outbox, now); row !== undefined; row = claimNext(outbox, now)) {
    said.push(row.payload);
    outbox.sent(row.id, now, row.op === "send" ? 1000 + row.id : undefined);
  }
  return said;
}

function claimNext(outbox: TempStore["outbox"], now = 1) {
  for (const candidate of outbox.candidates(now)) {
    const row = outbox.claim(candidate.id, now);
    if (row !== undefined) return row;
  }
  return undefined;
}

function mustClaim(outbox: TempStore["outbox"], now = 1) {
  const row = claimNext(outbox, now);
  if (row === undefined) throw new Error("nothing may go out");
  return row;
}

describe("order", () => {
  test("requests go before answers, answers before progress, each lane in its own order", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    store.outbox.send({ threadId, lane: "progress", payload: "p1" }, 0);
    store.outbox.send({ threadId, lane: "answer", payload: "a1" }, 0);
    store.outbox.send({ threadId, lane: "request", payload: "r1" }, 0);
    store.outbox.document({ threadId, lane: "answer", payload: "a2" }, 0);
    store.outbox.react({ threadId, lane: "progress", payload: "p2" }, 0);
    store.outbox.send({ threadId, lane: "request", payload: "r2" }, 0);
    expect(sendAll(store)).toEqual(["r1", "r2", "a1", "a2", "p1", "p2"]);
  });

  test("while a row is on its way, its thread waits and others do not", () => {
    const { outbox, thread } = tempStore();
    const home = thread("home", 1);
    const away = thread("away", 2);
    outbox.send({ threadId: home, lane: "answer", payload: "h1" }, 0);
    outbox.send({ threadId: home, lane: "request", payload: "h2" }, 0);
    outbox.send({ threadId: away, lane: "progress", payload: "w1" }, 0);
    expect([mustClaim(outbox).payload, mustClaim(outbox).payload, claimNext(outbox)]).toEqual([
      "h2",
      "w1",
      undefined,
    ]);
  });

  test("nothing comes between the parts of an answer, not even a request", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    for (const payload of ["part 1", "part 2", "part 3"])
      store.outbox.send({ threadId, lane: "answer", batch: "b", payload }, 0);
    const first = mustClaim(store.outbox);
    store.outbox.sent(first.id, 1, 1);
    store.outbox.send({ threadId, lane: "request", payload: "request" }, 2);
    expect([first.payload, ...sendAll(store, 3)]).toEqual(["part 1", "part 2", "part 3", "request"]);
  });

  test("a request that waits already goes before an answer of which nothing was sent", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    for (const payload of ["part 1", "part 2"])
      store.outbox.send({ threadId, lane: "answer", batch: "b", payload }, 0);
    store.outbox.send({ threadId, lane: "request", payload: "request" }, 0);
    expect(sendAll(store)).toEqual(["request", "part 1", "part 2"]);
  });

  test("an edit of a request may go between the parts of an answer, because it is no message", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    const cardId = store.card("c", threadId);
    store.outbox.send({ threadId, cardId, lane: "request", payload: "May I?" }, 0);
    sendAll(store);
    for (const payload of ["part 1", "part 2"])
      store.outbox.send({ threadId, lane: "answer", batch: "b", payload }, 1);
    store.outbox.sent(mustClaim(store.outbox).id, 2, 2);
    store.outbox.edit({ cardId, lane: "request", payload: "Allowed" }, 3);
    expect(sendAll(store, 4)).toEqual(["Allowed", "part 2"]);
  });

  test("a part that failed for good does not keep the others back", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    for (const payload of ["part 1", "part 2"])
      store.outbox.send({ threadId, lane: "answer", batch: "b", payload }, 0);
    store.outbox.failed(mustClaim(store.outbox).id, "too long", 1);
    expect(sendAll(store)).toEqual(["part 2"]);
  });

  test("a row that is scheduled for later lets others pass until it is due", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    store.outbox.send({ threadId, lane: "answer", payload: "later", notBefore: 10 }, 0);
    store.outbox.send({ threadId, lane: "answer", payload: "now" }, 0);
    expect(sendAll(store, 9)).toEqual(["now"]);
    expect(store.outbox.nextDue(9)).toBe(10);
    expect(sendAll(store, 10)).toEqual(["later"]);
    expect(store.outbox.nextDue(10)).toBeUndefined();
  });

  test("the parts of an answer that is scheduled for later wait for its first one", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    store.outbox.send({ threadId, lane: "answer", batch: "b", payload: "part 1", notBefore: 10 }, 0);
    store.outbox.send({ threadId, lane: "answer", batch: "b", payload: "part 2" }, 0);
    expect(sendAll(store, 9)).toEqual([]);
    expect(sendAll(store, 10)).toEqual(["part 1", "part 2"]);
  });

  test("a row that is tried again keeps its place, and those behind it wait", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    store.outbox.send({ threadId, lane: "answer", payload: "first" }, 0);
    store.outbox.send({ threadId, lane: "answer", payload: "second" }, 0);
    for (let tries = 0; tries < 50; tries++) store.outbox.retry(mustClaim(store.outbox).id, 1);
    expect(store.outbox.candidates(1)).toHaveLength(1);
    expect(sendAll(store)).toEqual(["first", "second"]);
  });

  test("a row that Telegram itself keeps failing on no longer holds up those behind it", () => {
    const { outbox, thread } = tempStore();
    const threadId = thread("home", 1);
    outbox.send({ threadId, lane: "request", payload: "poison" }, 0);
    outbox.send({ threadId, lane: "request", payload: "fine" }, 0);
    const { id } = mustClaim(outbox);
    outbox.retry(id, 1, "server");
    for (let tries = 1; tries < 12; tries++) {
      outbox.claim(id, 1);
      outbox.retry(id, 1, "server");
    }
    expect(outbox.candidates(1).map((candidate) => candidate.id)).toEqual([id, id + 1]);
  });
});

describe("edits", () => {
  function aCard(store = tempStore()) {
    const threadId = store.thread("home", 1);
    return { store, outbox: store.outbox, threadId, cardId: store.card("c", threadId) };
  }

  test("before the first send an edit replaces what is sent", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "progress", payload: "0 %" }, 0);
    outbox.edit({ cardId, lane: "progress", payload: "10 %" }, 1);
    outbox.edit({ cardId, lane: "progress", payload: "20 %" }, 2);
    expect(sendAll(store)).toEqual(["20 %"]);
  });

  test("a newer edit replaces an older one that is still in the queue", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "progress", payload: "0 %" }, 0);
    sendAll(store);
    outbox.edit({ cardId, lane: "progress", payload: "10 %" }, 1);
    outbox.edit({ cardId, lane: "progress", payload: "20 %" }, 2);
    expect(sendAll(store)).toEqual(["20 %"]);
  });

  test("an edit in a more urgent lane takes the older one along into it", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "progress", payload: "0 %" }, 0);
    sendAll(store);
    outbox.edit({ cardId, lane: "progress", payload: "10 %" }, 1);
    outbox.send({ threadId, lane: "answer", payload: "answer" }, 1);
    outbox.edit({ cardId, lane: "request", payload: "stopped" }, 2);
    expect(sendAll(store)).toEqual(["stopped", "answer"]);
  });

  test("while the send is on its way an edit waits, and then knows the message", () => {
    const { outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "request", payload: "May I?" }, 0);
    const send = mustClaim(outbox);
    outbox.edit({ cardId, lane: "request", payload: "Allowed" }, 1);
    expect(outbox.candidates(1)).toEqual([]);
    outbox.sent(send.id, 2, 77);
    expect(mustClaim(outbox)).toMatchObject({ op: "edit", payload: "Allowed", messageId: 77 });
  });

  test("a send that is tried again says what the card says by then", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "progress", payload: "May I?" }, 0);
    const send = mustClaim(outbox);
    outbox.edit({ cardId, lane: "answer", payload: "Withdrawn" }, 1);
    outbox.retry(send.id, 2);
    expect(outbox.candidates(2)).toEqual([{ id: send.id, threadId, cardId, lane: "answer" }]);
    expect(sendAll(store)).toEqual(["Withdrawn"]);
  });

  test("an edit that is tried again gives way to a newer one", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "progress", payload: "0 %" }, 0);
    sendAll(store);
    outbox.edit({ cardId, lane: "progress", payload: "10 %" }, 1);
    const edit = mustClaim(outbox);
    outbox.edit({ cardId, lane: "progress", payload: "20 %" }, 2);
    outbox.retry(edit.id, 3);
    expect(sendAll(store)).toEqual(["20 %"]);
  });

  test("an edit to what the card says already costs no call", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "progress", payload: "0 %" }, 0);
    sendAll(store);
    outbox.edit({ cardId, lane: "progress", payload: "0 %" }, 1);
    expect(claimNext(outbox)).toBeUndefined();
    expect(store.outboxStates()).toEqual(["0 % sent", "0 % dropped"]);
  });

  test("after an edit with an unknown outcome, going back to the text before it does cost a call", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "progress", payload: "0 %" }, 0);
    sendAll(store);
    outbox.edit({ cardId, lane: "progress", payload: "10 %" }, 1);
    outbox.retry(mustClaim(outbox).id, 2);
    outbox.edit({ cardId, lane: "progress", payload: "0 %" }, 3);
    expect(sendAll(store)).toEqual(["0 %"]);
  });

  test("when the send fails, the edits that wait for it fail too, and later ones are not queued", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "request", payload: "May I?" }, 0);
    const send = mustClaim(outbox);
    outbox.edit({ cardId, lane: "request", payload: "Allowed" }, 1);
    outbox.failed(send.id, "Forbidden: bot was blocked by the user", 2);
    outbox.edit({ cardId, lane: "request", payload: "Ended" }, 3);
    expect(store.outboxStates()).toEqual(["May I? failed", "Allowed failed"]);
  });

  test("an edit of a part keeps its place among the parts", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, lane: "answer", batch: "b", payload: "part 1" }, 0);
    outbox.send({ threadId, cardId, lane: "answer", batch: "b", payload: "part 2" }, 0);
    outbox.edit({ cardId, lane: "request", payload: "part two" }, 0);
    expect(sendAll(store)).toEqual(["part 1", "part two"]);
  });

  test("in a chat with new message ids the cards wait to be sent anew", () => {
    const { store, outbox, threadId, cardId } = aCard();
    outbox.send({ threadId, cardId, lane: "request", payload: "May I?" }, 0);
    sendAll(store);
    outbox.edit({ cardId, lane: "request", payload: "on its way" }, 1);
    const onItsWay = mustClaim(outbox);
    outbox.forgetMessages(threadId, 2);
    outbox.retry(onItsWay.id, 3);
    expect(sendAll(store)).toEqual([]);
    outbox.send({ threadId, cardId, lane: "request", payload: "May I, still?" }, 4);
    sendAll(store, 5);
    expect(store.cards.get(cardId)?.messageId).toBe(1000 + onItsWay.id + 1);
  });
});

describe("a restart", () => {
  test("repeats what was on its way, at its old place", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    store.outbox.send({ threadId, lane: "answer", payload: "first" }, 0);
    store.outbox.send({ threadId, lane: "answer", payload: "second" }, 0);
    mustClaim(store.outbox);
    const again = store.reopen();
    expect(again.outbox.recover(1)).toBe(1);
    expect(sendAll(again)).toEqual(["first", "second"]);
  });

  test("keeps the parts of a half sent answer together", () => {
    const store = tempStore();
    const threadId = store.thread("home", 1);
    for (const payload of ["part 1", "part 2", "part 3"])
      store.outbox.send({ threadId, lane: "answer", batch: "b", payload }, 0);
    store.outbox.send({ threadId, lane: "request", payload: "request", notBefore: 5 }, 0);
    store.outbox.sent(mustClaim(store.outbox).id, 1, 1);
    mustClaim(store.outbox);
    const again = store.reopen();
    again.outbox.recover(6);
    expect(sendAll(again, 6)).toEqual(["part 2", "part 3", "request"]);
  });
});

test("what was queued in a transaction that was rolled back was never there", () => {
  const { db, outbox, outboxStates, thread } = tempStore();
  const threadId = thread("home", 1);
  const work = db.transaction(() => {
    outbox.send({ threadId, lane: "answer", payload: "first" }, 0);
    throw new Error("no");
  });
  expect(work).toThrow("no");
  expect(outboxStates()).toEqual([]);
});

test("requests and answers that are due count as urgent until they are out, progress never", () => {
  const store = tempStore();
  const threadId = store.thread("home", 1);
  store.outbox.send({ threadId, lane: "answer", payload: "a" }, 0);
  store.outbox.send({ threadId, lane: "progress", payload: "p" }, 0);
  store.outbox.send({ threadId, lane: "request", payload: "later", notBefore: 9 }, 0);
  expect(store.outbox.urgent(1)).toBe(1);
  mustClaim(store.outbox);
  expect(store.outbox.urgent(1)).toBe(1);
  store.outbox.recover(1);
  sendAll(store);
  expect(store.outbox.urgent(1)).toBe(0);
});

test("old finished rows are removed, but not the first parts of an unfinished answer", () => {
  const store = tempStore();
  const threadId = store.thread("home", 1);
  store.outbox.send({ threadId, lane: "request", payload: "r" }, 0);
  for (const payload of ["part 1", "part 2"])
    store.outbox.send({ threadId, lane: "answer", batch: "b", payload }, 0);
  store.outbox.sent(mustClaim(store.outbox, 1).id, 1, 1);
  store.outbox.sent(mustClaim(store.outbox, 2).id, 2, 2);
  expect(store.outbox.prune(1)).toBe(0);
  expect(store.outbox.prune(10)).toBe(1);
  expect(store.outboxStates()).toEqual(["part 1 sent", "part 2 queued"]);
});
