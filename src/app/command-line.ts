import { parseArgs } from "node:util";
import type { AuditFormat } from "./audit-command.ts";
import { closest } from "./closest.ts";

/** What a command line asks for. */
export type Command =
  | { kind: "start"; configPath?: string }
  | { kind: "stop"; all: boolean; configPath?: string }
  | { kind: "audit"; format: AuditFormat; limit: number; configPath?: string }
  | { kind: "help" }
  | { kind: "version" }
  /** It asks for nothing we know; `line` says what to write instead. */
  | { kind: "wrong"; line: string };

export const helpText = `Signoff runs Claude Code on this machine and asks you on Telegram before it acts.

Usage:
  signoff start [--config FILE]         run the bot until it is stopped
  signoff stop [--all] [--config FILE]  stop the bot; Claude's processes go on working
                                        --all ends them too
  signoff audit [--json | --csv] [--limit N] [--config FILE]
                                        print what was decided, the newest first;
                                        --limit: at most so many (100)

Options:
  --config FILE  the configuration; else $SIGNOFF_CONFIG, ./signoff.toml,
                 or signoff/signoff.toml in $XDG_CONFIG_HOME (~/.config)
  --help, -h     show this
  --version, -V  show the version
`;

const commands = ["start", "stop", "audit"] as const;
const flags = ["--config", "--all", "--json", "--csv", "--limit", "--help", "--version"];
/** Flags that mean something to one command only. */
const belongings = new Map<string, (typeof commands)[number]>([
  ["--all", "stop"],
  ["--json", "audit"],
  ["--csv", "audit"],
  ["--limit", "audit"],
]);
const usualLimit = 100;
const seeHelp = "See signoff --help.";

/** Reads the arguments after the program's name. */
export function parseCommandLine(args: readonly string[]): Command {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      config: { type: "string" },
      all: { type: "boolean" },
      json: { type: "boolean" },
      csv: { type: "boolean" },
      limit: { type: "string" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "V" },
    },
    // Not strict: its complaints run over several sentences and never name the remedy.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const given = new Set<string>();
  let configPath: string | undefined;
  let limit: number | undefined;
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      words.push(token.value);
      continue;
    }
    const flag = `--${token.name}`;
    if (!flags.includes(flag))
      return wrong(`There is no option ${token.rawName}.`, closest(token.name, flags));
    if (flag === "--config") {
      // `--config --all` is a forgotten file, not a file of that name.
      if (!token.value || (!token.inlineValue && token.value.startsWith("-")))
        return wrong("--config needs a file: --config FILE.");
      configPath = token.value;
    } else if (flag === "--limit") {
      limit = Number(token.value);
      if (!/^[1-9]\d{0,8}$/.test(token.value ?? ""))
        return wrong("--limit needs a number above 0: --limit N.");
    } else if (token.value !== undefined) return wrong(`${flag} takes no value.`);
    given.add(flag);
  }
  if (given.has("--help")) return { kind: "help" };
  if (given.has("--version")) return { kind: "version" };
  return commandOf(words, { given, configPath, limit });
}

function commandOf(
  [name, ...rest]: readonly string[],
  {
    given,
    configPath,
    limit,
  }: { given: ReadonlySet<string>; configPath: string | undefined; limit: number | undefined },
): Command {
  if (name === undefined) return wrong("Say what to do: signoff start, signoff stop, or signoff audit.");
  const known = commands.find((command) => command === name);
  if (known === undefined) return wrong(`There is no command "${name}".`, closest(name, commands));
  if (rest[0] !== undefined) return wrong(`signoff ${known} takes no "${rest[0]}".`);
  const stray = [...given].find((flag) => (belongings.get(flag) ?? known) !== known);
  if (stray !== undefined) return wrong(`${stray} belongs to signoff ${belongings.get(stray)}.`);
  const config = configPath === undefined ? {} : { configPath };
  switch (known) {
    case "start":
      return { kind: "start", ...config };
    case "stop":
      return { kind: "stop", all: given.has("--all"), ...config };
    case "audit": {
      if (given.has("--json") && given.has("--csv")) return wrong("Say --json or --csv, not both.");
      const format = given.has("--json") ? "json" : given.has("--csv") ? "csv" : "table";
      return { kind: "audit", format, limit: limit ?? usualLimit, ...config };
    }
  }
}

function wrong(what: string, meant?: string): Command {
  return {
    kind: "wrong",
    line: [what, ...(meant === undefined ? [] : [`Did you mean ${meant}?`]), seeHelp].join(" "),
  };
}
