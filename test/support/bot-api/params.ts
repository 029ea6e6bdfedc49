/** A file that came with a request. */
export type Upload = { name: string; content: Buffer };

/** The parameters of one call. Telegram takes every value as text, or as JSON text. */
export type Params = {
  has(name: string): boolean;
  text(name: string): string;
  /** What does not read as a number counts as 0, as at Telegram. */
  integer(name: string): number;
  flag(name: string): boolean;
  /** Undefined when absent; `unreadable` when it is no JSON. */
  json(name: string): unknown;
  upload(name: string): Upload | undefined;
  /** The parameters as the client meant them, for logs and for faults that look at them. */
  meant(): Record<string, unknown>;
};

/** Stands for a parameter that should have been JSON and was not. */
export const unreadable = Symbol("unreadable JSON");

/** Wraps what the readers of bodies and query strings found. */
export function makeParams(
  values: ReadonlyMap<string, string>,
  uploads: ReadonlyMap<string, Upload>,
  original: Record<string, unknown>,
): Params {
  const text = (name: string): string => values.get(name) ?? "";
  return {
    has: (name) => text(name) !== "",
    text,
    integer: (name) => Number.parseInt(text(name), 10) || 0,
    flag: (name) => /^(?:true|yes|1)$/i.test(text(name)),
    json: (name) => (text(name) === "" ? undefined : parseJson(text(name))),
    upload: (name) => uploads.get(name),
    meant: () => ({ ...Object.fromEntries(values), ...original }),
  };
}

/** Parses JSON text; `unreadable` instead of a throw. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return unreadable;
  }
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
