import { expect, test } from "vitest";
import type { CardId } from "../../src/core/ids.ts";
import { aSession } from "./a-session.ts";

const brings = {
  hooks: ["Stop: ./done.sh"],
  servers: ["db: npx db"],
  rules: ["Bash(*)"],
  leftOut: ["CLAUDE.md"],
};

/** A store in which a folder was asked about. */
function asked() {
  const store = aSession();
  const ask = (id: string, path: string, fingerprint: string) =>
    store.trust.ask(
      { id, path, fingerprint, brings, threadId: store.home, cardId: `card-${id}` as CardId },
      10,
    );
  ask("a", "/web", "print-1");
  return { ...store, ask };
}

test("a question about a folder is there after a restart, with all that was listed", () => {
  const { restart, home } = asked();
  const { trust } = restart();
  const expected = {
    id: "a",
    path: "/web",
    fingerprint: "print-1",
    brings,
    state: "asked",
    cardId: "card-a",
    threadId: home,
  };
  expect(trust.get("a")).toEqual(expected);
  expect(trust.of("/web", "print-1")).toEqual(expected);
  expect(trust.get("b")).toBeUndefined();
});

test("the word is for this folder as it was: another fingerprint or path has none", () => {
  const { trust } = asked();
  trust.decide("a", "trusted", "Ann", 20);
  expect(trust.of("/web", "print-1")?.state).toBe("trusted");
  expect(trust.of("/web", "print-2")).toBeUndefined();
  expect(trust.of("/other", "print-1")).toBeUndefined();
});

test("a folder can be asked about in every shape it had, once each", () => {
  const { trust, ask } = asked();
  ask("b", "/web", "print-2");
  ask("c", "/other", "print-1");
  expect(trust.ofPath("/web").map(({ id }) => id)).toEqual(["a", "b"]);
  expect(() => ask("d", "/web", "print-1")).toThrow("UNIQUE");
});

test.each(["trusted", "refused", "outdated"] as const)(
  "a folder can be %s, and who said so is kept",
  (state) => {
    const { trust, db } = asked();
    trust.decide("a", state, state === "outdated" ? undefined : "Ann", 20);
    expect(trust.get("a")?.state).toBe(state);
    expect(db.prepare("SELECT by_name, decided_at FROM trust").get()).toEqual({
      by_name: state === "outdated" ? null : "Ann",
      decided_at: 20,
    });
  },
);
