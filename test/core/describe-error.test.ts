import { HttpError } from "grammy";
import { expect, test } from "vitest";
import { describeError, errorCode } from "../../src/core/describe-error.ts";

const token = "1234567890:AAbbccddeeffgghhiijjkkllmmnnooppqqr";

test("an error is its message, its code and its causes, on one line", () => {
  const root = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
  const error = new Error("The store\n  is gone", { cause: new Error("disk", { cause: root }) });
  expect(describeError(error)).toBe("The store is gone; because disk; because connect failed (ECONNREFUSED)");
});

test("a code that the message already tells is not told twice", () => {
  const error = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" });
  expect(describeError(error)).toBe("ENOENT: no such file");
});

test("of an HTTP client's error only the code of what it wraps is told: the rest holds the token", () => {
  const inner = Object.assign(new Error(`request to https://api.telegram.org/bot${token}/getMe failed`), {
    code: "ECONNRESET",
  });
  const error = new HttpError("Network request for 'getMe' failed!", inner);
  expect(describeError(error)).toBe("Network request for 'getMe' failed! (ECONNRESET)");
});

test("a token in a message is hidden", () => {
  expect(describeError(new Error(`GET /bot${token}/getMe`))).toBe("GET /bot[hidden]/getMe");
});

test("a failed connection to several addresses is told by the first", () => {
  const error = Object.assign(new AggregateError([new Error("connect ECONNREFUSED ::1:80")]), {
    code: "ECONNREFUSED",
  });
  expect(describeError(error)).toBe("connect ECONNREFUSED ::1:80");
});

test("of a failed child the short message is told, not all that it printed", () => {
  const error = Object.assign(new Error("Command failed: x\nlong output"), {
    shortMessage: "Command failed: x",
  });
  expect(describeError(error)).toBe("Command failed: x");
});

test("causes in a circle come to an end", () => {
  const error = new Error("round");
  error.cause = error;
  expect(describeError(error)).toBe(Array(5).fill("round").join("; because "));
});

test.each([
  ["only text", "only text"],
  [undefined, "undefined"],
  [null, "null"],
  [{ token }, "a thing that is no error was thrown (object)"],
  [new TypeError(""), "TypeError"],
])("whatever else was thrown is told without looking inside: %o", (thrown, told) => {
  expect(describeError(thrown)).toBe(told);
});

test("a code is found on the error, or on the one it wraps", () => {
  const inner = Object.assign(new Error("x"), { code: "ETIMEDOUT" });
  expect([inner, new HttpError("y", inner), new Error("z"), "text", null].map(errorCode)).toEqual([
    "ETIMEDOUT",
    "ETIMEDOUT",
    undefined,
    undefined,
    undefined,
  ]);
});
