import { expect, test } from "vitest";
import type { CardId } from "../../src/core/ids.ts";
import { tempStore } from "../support/temp-store.ts";

test("a card has no message until it was sent, and is found by its message afterwards", () => {
  const { cards, card, outbox, thread } = tempStore();
  const home = thread("home", 1);
  const request = card("c1", home);
  expect(cards.get(request)).toEqual({ id: request, threadId: home, createdAt: 0 });

  outbox.send({ threadId: home, cardId: request, lane: "request", payload: "May I?" }, 1);
  const [row] = outbox.candidates(1);
  outbox.claim(row?.id ?? 0, 1);
  outbox.sent(row?.id ?? 0, 2, 77);

  const shown = { id: request, threadId: home, messageId: 77, createdAt: 0 };
  expect(cards.get(request)).toEqual(shown);
  expect(cards.byMessage(home, 77)).toEqual(shown);
});

test("a message of another thread shows no card of this one", () => {
  const { cards, card, db, thread } = tempStore();
  const home = thread("home", 1);
  card("c1", home);
  db.exec("UPDATE cards SET message_id = 77");
  expect(cards.byMessage(thread("away", 2), 77)).toBeUndefined();
});

test("a card nobody made is not found", () => {
  const { cards } = tempStore();
  expect(cards.get("c9" as CardId)).toBeUndefined();
});
