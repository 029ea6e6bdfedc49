import { redactShapes } from "./redact.ts";

const deepestCause = 5;

/**
 * An error as one line: messages and codes along the chain of causes, never a dump of the object.
 * A dump would print what errors carry beside their message: the HTTP client's carry the URL with the bot token.
 */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  let current: unknown = error;
  while (current !== undefined && current !== null && parts.length < deepestCause) {
    parts.push(describeOne(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return redactShapes(parts.join("; because ") || String(error));
}

/** An error's `code`, as `ENOENT` or `SQLITE_BUSY`; also where a client wraps the error that has one. */
export function errorCode(error: unknown): string | undefined {
  const code = property(error, "code") ?? property(property(error, "error"), "code");
  return typeof code === "string" && code !== "" ? code : undefined;
}

function describeOne(error: unknown): string {
  if (typeof error === "string") return oneLine(error);
  if (!(error instanceof Error)) return `a thing that is no error was thrown (${typeof error})`;
  // Of a failed child, the short message: the long one holds all that it printed.
  const short = property(error, "shortMessage");
  const message =
    oneLine(typeof short === "string" ? short : error.message) || firstOfMany(error) || error.name;
  const code = errorCode(error);
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

/** A failed connection to a host with several addresses has no message of its own. */
function firstOfMany(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return first instanceof Error ? oneLine(first.message) : "";
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
