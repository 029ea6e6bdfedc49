import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/app/command-line.ts";

test.each([
  ["start", { kind: "start" }],
  ["start --config a.toml", { kind: "start", configPath: "a.toml" }],
  ["--config=a.toml start", { kind: "start", configPath: "a.toml" }],
  ["stop", { kind: "stop", all: false }],
  ["stop --all --config a.toml", { kind: "stop", all: true, configPath: "a.toml" }],
  ["audit", { kind: "audit", format: "table", limit: 100 }],
  [
    "audit --json --limit 5 --config a.toml",
    { kind: "audit", format: "json", limit: 5, configPath: "a.toml" },
  ],
  ["audit --csv --limit=7", { kind: "audit", format: "csv", limit: 7 }],
  ["--help", { kind: "help" }],
  ["start -h", { kind: "help" }],
  ["--version", { kind: "version" }],
  ["-V", { kind: "version" }],
])("signoff %s", (line, command) => {
  expect(parseCommandLine(line.split(" "))).toEqual(command);
});

test.each([
  ["", "Say what to do: signoff start, signoff stop, or signoff audit. See signoff --help."],
  ["strat", 'There is no command "strat". Did you mean start? See signoff --help.'],
  ["dance", 'There is no command "dance". See signoff --help.'],
  ["start now", 'signoff start takes no "now". See signoff --help.'],
  ["start --all", "--all belongs to signoff stop. See signoff --help."],
  ["stop --json", "--json belongs to signoff audit. See signoff --help."],
  ["start --limit 5", "--limit belongs to signoff audit. See signoff --help."],
  ["audit --all", "--all belongs to signoff stop. See signoff --help."],
  ["audit --json --csv", "Say --json or --csv, not both. See signoff --help."],
  ["audit --limit", "--limit needs a number above 0: --limit N. See signoff --help."],
  ["audit --limit 0", "--limit needs a number above 0: --limit N. See signoff --help."],
  ["audit --limit 1e3", "--limit needs a number above 0: --limit N. See signoff --help."],
  ["audit --jsn", "There is no option --jsn. Did you mean --json? See signoff --help."],
  ["audit Bash", 'signoff audit takes no "Bash". See signoff --help.'],
  ["start --confg a.toml", "There is no option --confg. Did you mean --config? See signoff --help."],
  ["start -x", "There is no option -x. See signoff --help."],
  ["start --config", "--config needs a file: --config FILE. See signoff --help."],
  ["start --config=", "--config needs a file: --config FILE. See signoff --help."],
  ["stop --config --all", "--config needs a file: --config FILE. See signoff --help."],
  ["stop --all=yes", "--all takes no value. See signoff --help."],
])("signoff %s is answered with one line that says what to write instead", (line, says) => {
  expect(parseCommandLine(line === "" ? [] : line.split(" "))).toEqual({ kind: "wrong", line: says });
});
