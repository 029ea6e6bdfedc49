import { describeError } from "../core/describe-error.ts";
import { redactor } from "../core/redact.ts";

/** How much a line matters; a log shows its own level and all that follow. */
const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a line says beside its name. Errors become one sentence; other objects are never written out. */
type LogFields = Readonly<Record<string, unknown>>;

/** The bot's diary: one line an event, each named `area.what_happened`. */
export type Log = {
  readonly [Level in LogLevel]: (event: string, fields?: LogFields) => void;
} & {
  /** From now on these texts are hidden wherever they turn up in a line. */
  redact(secrets: Iterable<string>): void;
};

const longestValue = 1000;

/** A log that hands finished lines, without line end, to `write`. */
export function createLog(to: { write: (line: string) => void; now: () => Date; level?: LogLevel }): Log {
  const secrets = new Set<string>();
  let clean = redactor(secrets);
  const lowest = logLevels.indexOf(to.level ?? "info");

  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void => {
      if (logLevels.indexOf(level) < lowest) return;
      const said = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ` ${key}=${quoted(clean(asText(value)))}`);
      // Once more over the whole line: a secret may also stand in a name.
      to.write(clean(`${to.now().toISOString()} ${level} ${event}${said.join("")}`));
    };

  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    redact(more) {
      for (const secret of more) secrets.add(secret);
      clean = redactor(secrets);
    },
  };
}

function asText(value: unknown): string {
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(asText).join(",");
  // Whoever logs an object must say which of its fields: the rest might be secret, or endless.
  return typeof value === "object" && value !== null ? "[object]" : String(value);
}

/** One word stays bare; anything else is quoted, so that no value can pretend to be a line or a field of its own. */
function quoted(text: string): string {
  const short = text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
  if (/^[\w./:@+,[\]-]+$/.test(short)) return short;
  return JSON.stringify(short).replaceAll(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
