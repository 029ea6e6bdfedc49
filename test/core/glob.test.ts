import { expect, test } from "vitest";
import { matchesGlob } from "../../src/core/glob.ts";

const fitting = (glob: string, paths: string[]): string[] => paths.filter((path) => matchesGlob(glob, path));

test.each([
  ["src/a.ts", ["src/a.ts"], ["src/b.ts", "src/a.ts/x", "x/src/a.ts", "src"]],
  ["src/*", ["src/a.ts", "src/.env"], ["src", "src/a/b", "src2/a"]],
  ["src/**", ["src", "src/a", "src/a/b.ts", "src/.git/x"], ["src2/a", "lib/src/a", "a"]],
  ["**", [".", "a", "a/b", ".env"], []],
  ["**/*.ts", ["a.ts", "a/b.ts", "a/b/c.ts"], ["a.tsx", "a.ts/b"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b", "a/b/b"], ["a/bb", "x/a/b", "a/b/c"]],
  ["**/a/**/b/**", ["a/b", "x/a/y/b/z", "a/a/b/b"], ["b/a", "a"]],
  ["*.ts", ["a.ts", ".ts"], ["a/b.ts", "ts"]],
  ["a?c", ["abc", "a😀c"], ["ac", "abbc", "a/c"]],
  ["*a*b*", ["ab", "xaxbx", "aab"], ["ba", "a/b"]],
  ["./src/./**", ["src/a"], ["a"]],
  ["a[b]c{d}", ["a[b]c{d}"], ["abc", "abcd"]],
  ["/etc/**", ["/etc", "/etc/passwd", "/etc/ssh/key"], ["etc/passwd", "/etcetera", "/"]],
  ["/**", ["/", "/a/b"], ["a"]],
])("%s", (glob, fits, fitsNot) => {
  expect(fitting(glob, [...fits, ...fitsNot])).toEqual(fits);
});

test("a glob and a path that are made to be slow are not", () => {
  const path = `${"a/".repeat(2_000)}${"a".repeat(20_000)}`;
  expect(matchesGlob(`${"**/a*a*a*a*a/".repeat(10)}**/b`, path)).toBe(false);
  expect(matchesGlob(`**/${"*a".repeat(30)}b`, path)).toBe(false);
});
