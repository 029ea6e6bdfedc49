import { expect, test } from "vitest";
import { aSession } from "./a-session.ts";

test("a fact is the one said last, also after a restart", () => {
  const { meta, restart } = aSession();
  expect(meta.get("colour")).toBeUndefined();
  meta.set("colour", "red");
  meta.set("colour", "blue");
  expect(restart().meta.get("colour")).toBe("blue");
});

test("what is made once is kept from then on", () => {
  const { meta, restart } = aSession();
  let made = 0;
  const make = () => `id-${(made += 1)}`;
  expect(meta.getOrMake("instance", make)).toBe("id-1");
  expect(meta.getOrMake("instance", make)).toBe("id-1");
  expect(restart().meta.getOrMake("instance", make)).toBe("id-1");
  expect(made).toBe(1);
});
