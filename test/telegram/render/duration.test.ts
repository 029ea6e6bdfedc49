import { expect, test } from "vitest";
import {
  clockTime,
  coarseDuration,
  dayAndTime,
  humanDuration,
} from "../../../src/telegram/render/duration.ts";

test.each([
  [0, "0 s"],
  [999, "0 s"],
  [12_345, "12 s"],
  [60_000, "1m"],
  [63_000, "1m 3s"],
  [3_600_000, "1h"],
  [7_500_000, "2h 5m"],
  [86_400_000 * 3 + 3_600_000 * 4, "3d 4h"],
  [-5, "0 s"],
  [Number.NaN, "0 s"],
])("%d ms reads %s", (ms, words) => {
  expect(humanDuration(ms)).toBe(words);
});

test.each([
  [9_999, "0 s"],
  [47_000, "40 s"],
  [89_000, "1m"],
  [95_000, "1m 30s"],
  [11 * 60_000 + 59_000, "11m"],
])("a running time of %d ms reads %s, so that it changes seldom", (ms, words) => {
  expect(coarseDuration(ms)).toBe(words);
});

test("a day is told with its time", () => {
  expect(dayAndTime(Date.UTC(2026, 0, 1, 23, 3), "UTC")).toBe("1 Jan 23:03");
  expect(dayAndTime(Date.UTC(2026, 0, 1, 23, 3), "Europe/Berlin")).toBe("2 Jan 00:03");
});

test("the time of day is the reader's", () => {
  expect(clockTime(Date.UTC(2026, 0, 1, 0, 3), "UTC")).toBe("00:03");
  expect(clockTime(Date.UTC(2026, 0, 1, 13, 3), "Europe/Berlin")).toBe("14:03");
});
