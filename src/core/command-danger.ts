import { pathDanger } from "./path-danger.ts";
import { programDangers } from "./program-danger.ts";
import type { Danger } from "./view.ts";

/**
 * What in a shell command deserves a second look. It knows words and not the shell: a word in quotes may begin a program
 * as well, because `sh -c "rm -rf x"` would run it. So `echo "rm -rf x"` is marked too: a mark too many costs a glance,
 * one too few may cost a folder.
 */
export function* commandDangers(command: string, project: string): Generator<Danger> {
  const readable = command.slice(0, LONGEST_COMMAND).replaceAll("\\\n", " ");
  let line: Line = {};
  for (const { before, text } of simpleCommands(readable)) {
    if (before !== "|" && !FEEDS_INTO_LINE.has(before)) line = {};
    const words = text.split(/\s+/);
    const plain = words.map(bare);
    for (const start of programStarts(words, plain)) {
      const [name, args] = [programName(plain[start]), plain.slice(start + 1, start + MOST_WORDS)];
      const what = () => withoutOuterQuote(words.slice(start, start + MOST_WORDS).join(" "));
      for (const why of programDangers(name, args)) yield { why, what: what() };
      if (writes(name, args).some((path) => isOutside(path, project)))
        yield { why: "writes outside the project", what: what() };
      yield* runsUnseen(name, { before, text }, line);
      if (DOWNLOADERS.test(name)) line.download = text;
      if (DECODERS.test(name)) line.decoding = text;
      if (SHELLS.test(name)) line.shell = text;
    }
    if (redirects(text).some((path) => isOutside(path, project)))
      yield { why: "writes outside the project", what: text };
    for (const word of plain) yield* pathDanger(word, "names");
  }
  for (const [pattern, why] of ANYWHERE) {
    const found = pattern.exec(readable);
    if (found) yield { why, what: found[0] };
  }
}

/** What one pipeline has in it so far. */
type Line = { download?: string; decoding?: string; shell?: string };
type Simple = { before: string; text: string };

/** Linux takes no longer argument (128 KiB), and a command is one argument of a shell. */
const LONGEST_COMMAND = 131_072;
/** Of one program; enough for any that a person would read. */
const MOST_WORDS = 50;

/** Behind these stands a command whose output becomes a part of the one in front. */
const FEEDS_INTO_LINE: ReadonlySet<string> = new Set(["$(", "<(", "`"]);

/** Cuts a command where the shell would begin another one, quotes or not. */
function* simpleCommands(command: string): Generator<Simple> {
  let before = "";
  let from = 0;
  // The `&` of `2>&1` and of `&>` ends nothing.
  for (const { 0: separator, index } of command.matchAll(/&&|\|\||\$\(|<\(|(?<![<>])&(?!>)|[;|\n`()]/g)) {
    const text = command.slice(from, index).trim();
    if (text !== "") yield { before, text };
    before = separator;
    from = index + separator.length;
  }
  const text = command.slice(from).trim();
  if (text !== "") yield { before, text };
}

/**
 * Where a program may be named: at the beginning, after a quote, and behind a program that runs another one. Such a one
 * has arguments of its own in front, as in `sudo -u root rm` and `timeout 5 rm`, so the next few words may all be it.
 */
function* programStarts(words: string[], plain: string[]): Generator<number> {
  let chances = 1;
  for (const [index, word] of plain.entries()) {
    const isRunner = RUNNERS.has(programName(word));
    const isPrefix = /^\w+=/.test(word) || word.startsWith("-") || KEYWORDS.has(word);
    if (isPrefix && !isRunner) continue;
    if (chances > 0 || /^["'][\w/]/.test(words[index] ?? "")) yield index;
    chances = isRunner ? CHANCES_AFTER_RUNNER : chances - 1;
  }
}

const CHANCES_AFTER_RUNNER = 4;

/** `/bin/rm` is `rm`. */
function programName(word = ""): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

const KEYWORDS: ReadonlySet<string> = new Set("if then else elif do while until { ! time exec".split(" "));
const RUNNERS: ReadonlySet<string> = new Set(
  "sudo doas env nohup nice xargs command builtin timeout watch stdbuf setsid -exec -execdir".split(" "),
);

const SHELLS = /^(?:(?:ba|z|da|k|a|fi)?sh|eval|source|\.|python\d?|node|perl|ruby|php)$/;
const DOWNLOADERS = /^(?:curl|wget|fetch|aria2c)$/;
const DECODERS = /^(?:base64|base32|xxd|openssl|gunzip|rev)$/;

/** A shell that is fed with what the card cannot show. */
function* runsUnseen(name: string, { before, text }: Simple, line: Line): Generator<Danger> {
  const isFed = before === "|" && SHELLS.test(name);
  if (isFed && line.download !== undefined)
    yield { why: "runs what it downloads", what: `${line.download} | ${text}` };
  if (isFed && line.decoding !== undefined)
    yield { why: "runs a text that is encoded", what: `${line.decoding} | ${text}` };
  if (FEEDS_INTO_LINE.has(before) && DOWNLOADERS.test(name) && line.shell !== undefined)
    yield { why: "runs what it downloads", what: `${line.shell} ${before}${text}` };
}

/** The files that a program is told to write; of a copy, the last argument. */
function writes(name: string, args: string[]): string[] {
  const named = args.filter((arg) => !arg.startsWith("-"));
  if (name === "tee" || name === "touch" || name === "mkdir") return named;
  return /^(?:cp|mv|ln|install|rsync)$/.test(name) ? named.slice(1).slice(-1) : [];
}

function redirects(text: string): string[] {
  return [...text.matchAll(/>{1,2}\s{0,8}([^\s<>&|;()]+)/g)].map(([, path = ""]) => bare(path));
}

/** The scratch folder and the devices that keep nothing are everybody's. */
const HARMLESS = /^\/(?:tmp\/|dev\/(?:null|stdout|stderr|tty|fd\/))|^\/dev\/null$/;

function isOutside(path: string, project: string): boolean {
  if (/^(?:~|\$HOME\b|\$\{HOME\})/.test(path) || /(?:^|\/)\.\.(?:\/|$)/.test(path)) return true;
  const isRelative = !path.startsWith("/");
  if (isRelative || HARMLESS.test(path)) return false;
  return path !== project && !path.startsWith(project.endsWith("/") ? project : `${project}/`);
}

/** Words that say enough wherever they stand. */
const ANYWHERE: readonly [RegExp, string][] = [
  [
    /\b(?:drop\s{1,8}(?:table|database|schema)|truncate\s{1,8}table)\b[^;"'\n]{0,60}/i,
    "deletes data in a database",
  ],
  [/\bdelete\s{1,8}from\s{1,8}[\w.]{1,60}\s{0,8}(?=[;"']|$)/im, "deletes data in a database"],
  [/:\(\)\s{0,4}\{\s{0,4}:\s{0,4}\|\s{0,4}:\s{0,4}&/, "starts processes without end"],
];

function bare(word: string): string {
  return word.replaceAll(/["'\\]/g, "");
}

/** `sh -c "rm -rf x"`: neither the quote in front of the program nor the one behind its last word belongs to it. */
function withoutOuterQuote(text: string): string {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  return text.endsWith(quote) ? text.slice(1, -1) : text.slice(1);
}
