import { HttpError } from "grammy";
import { expect, test } from "vitest";
import { createLog, type LogLevel } from "../../src/app/log.ts";

const token = "1234567890:AAbbccddeeffgghhiijjkkllmmnnooppqqr";

function logInto(lines: string[], level?: LogLevel) {
  return createLog({
    write: (line) => lines.push(line),
    now: () => new Date("2026-11-16T08:00:00Z"),
    ...(level === undefined ? {} : { level }),
  });
}

/** What one call writes, without its time. */
function lineOf(fields: Record<string, unknown>, secrets: string[] = []): string {
  const lines: string[] = [];
  const log = logInto(lines);
  log.redact(secrets);
  log.info("test.said", fields);
  expect(lines).toHaveLength(1);
  return lines[0]?.replace("2026-11-16T08:00:00.000Z info test.said ", "") ?? "";
}

test("a line tells time, level, event and fields", () => {
  const lines: string[] = [];
  logInto(lines).warn("outbox.paused", {
    chat: -100,
    seconds: 3,
    kind: "final",
    until: new Date(0),
    absent: undefined,
  });
  expect(lines).toEqual([
    "2026-11-16T08:00:00.000Z warn outbox.paused chat=-100 seconds=3 kind=final until=1970-01-01T00:00:00.000Z",
  ]);
});

test("a log shows its level and what is graver", () => {
  const shown = (level?: LogLevel) => {
    const lines: string[] = [];
    const log = logInto(lines, level);
    log.debug("a.b");
    log.info("a.b");
    log.warn("a.b");
    log.error("a.b");
    return lines.map((line) => line.split(" ")[1]);
  };
  expect({ usual: shown(), debug: shown("debug"), error: shown("error") }).toEqual({
    usual: ["info", "warn", "error"],
    debug: ["debug", "info", "warn", "error"],
    error: ["error"],
  });
});

test("no value can pretend to be a line or a field of its own", () => {
  expect(lineOf({ text: 'x\n2026 error forged=1 "q"', empty: "", bidi: "a\u202eb\u0085" })).toBe(
    String.raw`text="x\n2026 error forged=1 \"q\"" empty="" bidi="a\u202eb\u0085"`,
  );
});

test("an error is told by message, code and cause; an object is never written out", () => {
  const error = new HttpError("failed", Object.assign(new Error(`/bot${token}/`), { code: "ECONNRESET" }));
  expect(lineOf({ error, object: { token }, list: ["a", 1, { token }] })).toBe(
    'error="failed (ECONNRESET)" object=[object] list=a,1,[object]',
  );
});

test("a very long value is cut", () => {
  expect(lineOf({ long: "x".repeat(5000) })).toBe(`long="${"x".repeat(1000)}…"`);
});

test.each([
  ["a bot token", token],
  ["a bot token in a URL", `https://api.telegram.org/bot${token}/getMe`],
  ["a bot token in an encoded URL", `https://proxy/?u=bot${encodeURIComponent(token)}%2FgetMe`],
  ["an Anthropic key", "key sk-ant-api03-AAbbccddeeffgghh_-ii"],
])("%s is hidden though nobody named it a secret", (_, text) => {
  const line = lineOf({ text, error: new Error(text), [text]: 1 });
  expect(line).toContain("[hidden]");
  expect(line).not.toMatch(/AAbbccdd/);
});

test("a secret made known is hidden in the event, in keys, values and errors, also across earlier cuts", () => {
  const secret = '42:s p"e/c\\ial';
  const lines: string[] = [];
  const log = logInto(lines);
  log.redact([secret]);
  log.error(`odd.${secret}`, {
    [secret]: secret,
    url: `x${encodeURIComponent(secret)}x`,
    error: new Error(`<${secret}>`),
  });
  log.info("long.value", { text: `${"x".repeat(995)}${secret}` });
  expect(lines.map((line) => line.slice(25))).toEqual([
    'error odd.[hidden] [hidden]=[hidden] url=x[hidden]x error="<[hidden]>"',
    `info long.value text="${"x".repeat(995)}[hidd…"`,
  ]);
});

test("a secret that begins with another one leaves no rest, and the empty one hides nothing", () => {
  expect(lineOf({ text: "secret-long secret x" }, ["secret", "secret-long", "", "x"])).toBe(
    'text="[hidden] [hidden] x"',
  );
});

test("no secret survives whatever stands around it", () => {
  const alphabet = ["a", "7", ":", "/", " ", "\n", '"', "\\", "=", "é", "😀", "%", "-", "_", "\u202e"];
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const noise = (length: number) => Array.from({ length }, () => alphabet[next(alphabet.length)]).join("");
  const survivors = Array.from({ length: 300 }, () => {
    const secret = `S3CR${noise(4 + next(12))}T`;
    const line = lineOf({ text: noise(next(9)) + secret + noise(next(9)), error: new Error(secret) }, [
      secret,
    ]);
    return line.includes("S3CR") ? secret : undefined;
  }).filter((secret) => secret !== undefined);
  expect(survivors).toEqual([]);
});
