import { expect, test } from "vitest";
import { bringsAnything, type FolderBrings } from "../../src/core/trust.ts";

const nothing: FolderBrings = { hooks: [], servers: [], rules: [], leftOut: [] };

test("a folder without anything of its own brings nothing", () => {
  expect(bringsAnything(nothing)).toBe(false);
});

test.each(["hooks", "servers", "rules", "leftOut"] as const)("a folder with %s brings something", (list) => {
  expect(bringsAnything({ ...nothing, [list]: ["one"] })).toBe(true);
});
