import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStore, type Store } from "../../src/store/store.ts";

function wholeStore(): Store {
  const folder = mkdtempSync(join(tmpdir(), "signoff-whole-store-"));
  const store = openStore(join(folder, "signoff.db"));
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

function fail(): never {
  throw new Error("it broke");
}

test("a transaction gives back what its work gives", () => {
  expect(wholeStore().transaction(() => 7)).toBe(7);
});

test("a transaction that fails leaves nothing of it, and the failure is heard", () => {
  const store = wholeStore();
  const work = () => {
    store.meta.set("a", "1");
    fail();
  };
  expect(() => store.transaction(work)).toThrow("it broke");
  expect(store.meta.get("a")).toBeUndefined();
});

test("an inner part that fails is undone alone, when the outer one goes on", () => {
  const store = wholeStore();
  store.transaction(() => {
    store.meta.set("before", "1");
    expect(() =>
      store.transaction(() => {
        store.meta.set("inner", "1");
        store.transaction(() => store.meta.set("innermost", "1"));
        fail();
      }),
    ).toThrow("it broke");
    store.meta.set("after", "1");
  });
  const found = ["before", "inner", "innermost", "after"].map((key) => store.meta.get(key));
  expect(found).toEqual(["1", undefined, undefined, "1"]);
});

test("an outer failure undoes the inner parts that went well", () => {
  const store = wholeStore();
  expect(() =>
    store.transaction(() => {
      store.transaction(() => store.meta.set("inner", "1"));
      fail();
    }),
  ).toThrow("it broke");
  expect(store.meta.get("inner")).toBeUndefined();
});

test("rows that make a transaction of their own can be written inside another", () => {
  const store = wholeStore();
  expect(() =>
    store.transaction(() => {
      store.inbox.record([{ updateId: 1, body: "{}" }], 1);
      fail();
    }),
  ).toThrow("it broke");
  expect(store.inbox.nextNew()).toBeUndefined();
});

test("work that waits is refused and undone, for nothing may come between its parts", () => {
  const store = wholeStore();
  expect(() => store.transaction(async () => store.meta.set("a", "1"))).toThrow("promise");
  expect(store.meta.get("a")).toBeUndefined();
});
