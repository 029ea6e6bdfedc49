import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { parseCommandLine } from "../src/app/command-line.ts";
import { knownKeys } from "../src/app/config-schema.ts";
import type { RequestId } from "../src/core/ids.ts";
import { commands } from "../src/telegram/commands.ts";
import { renderView } from "../src/telegram/render/card.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = markdownFiles().map((name) => ({ name, text: read(name) }));
const readme = read("README.md");
const manifest: Manifest = JSON.parse(read("package.json"));

type Manifest = {
  version: string;
  license: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

test("every npm command in a page is npm's own or a script of ours", () => {
  const own = new Set(["ci", "install", "prune"]);
  const unknown = found(/(?:^|`|&& )npm (?:run )?([a-z][\w:-]*)/gm).filter(
    ({ what }) => !own.has(what) && manifest.scripts[what] === undefined,
  );
  expect(unknown).toEqual([]);
});

test("every call of the program in a page is one that it understands", () => {
  const calls = [
    ...found(/node dist\/main\.js ([^\n`]+)/g),
    ...found(/npm start -- ([^\n`]+)/g).map(({ what, where }) => ({ what: `start ${what}`, where })),
  ];
  expect(calls.length).toBeGreaterThan(1);
  const wrong = calls.filter(({ what }) => parseCommandLine(what.trim().split(/\s+/)).kind === "wrong");
  expect(wrong).toEqual([]);
});

test("the test command of the README is what CI runs", () => {
  expect(readme).toContain("```sh\nnpm ci && npm test\n```");
  expect(read(".ci/run").trimEnd().split("\n").at(-1)).toBe("npm ci && npm test");
});

test("the README lists the bot's commands, all of them, in the order of the menu", () => {
  const listed = [...readme.matchAll(/^\| `\/(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(commands.map(({ command }) => command));
});

test("the card in the README is the card that the bot draws", () => {
  const [card] = renderView({
    kind: "request",
    requestId: "r1" as RequestId,
    project: "web",
    tool: {
      kind: "command",
      name: "Bash",
      title: "npm test",
      body: [{ text: "npm test", language: "bash" }],
    },
    description: "Run the unit tests",
    reason: "This command requires approval",
    always: { rule: "Bash(npm test *)", reach: "project" },
  }).messages;
  const mock = /```text\n(💻[\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const [text = "", buttons = ""] = mock.split("\n\n┌");
  expect(text.replace("│ ", "")).toBe(card?.text);
  const labels = buttons.split(/[│┐┘├┤\n]+/).map((part) => part.trim());
  expect(labels).toEqual(
    expect.arrayContaining(card?.buttons?.flat().map(({ label }) => label) ?? ["a card"]),
  );
});

test("every configuration key that a page names is one that can be written", () => {
  const sources = sourceText();
  const dotted = found(/`((?:telegram|claude|approvals|projects)\.[\w.]+)`/g);
  const unknown = dotted.filter(({ what }) => !isKey(what.split(".")) && !sources.includes(`"${what}"`));
  expect(unknown).toEqual([]);
});

test("every configuration in a page has known keys only", () => {
  const examples = found(/```toml\n([\s\S]*?)```/g);
  expect(examples.length).toBeGreaterThan(0);
  const unknown = examples.flatMap(({ what, where }) =>
    keysIn(parse(what)).flatMap((path) => (isKey(path) ? [] : [{ what: path.join("."), where }])),
  );
  expect(unknown).toEqual([]);
});

test("every relative link leads to a file, and to a heading that is there", () => {
  const broken = found(/\]\(([^)\s]+)\)/g).filter(({ what, where }) => {
    if (/^[a-z]+:/.test(what)) return false;
    const [path = "", anchor] = what.split("#");
    const target = path === "" ? join(root, where) : resolve(root, dirname(where), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, "utf8")).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test("every test, source and document that a page names by its path is there", () => {
  const paths = found(/`((?:src|test|docs)\/[\w./-]*[\w/])`/g);
  expect(paths.filter(({ what }) => !existsSync(join(root, what)))).toEqual([]);
});

test("there are ten laws, and each is guarded by a test", () => {
  const laws = read("docs/invariants.md")
    .split("\n")
    .filter((line) => /^\| \d+ \|/.test(line));
  expect(laws.map((law) => Number(law.split("|")[1]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(laws.filter((law) => !/`test\/[\w./-]+\.test\.ts`/.test(law))).toEqual([]);
});

test("every decision is in the list of decisions, in its order", () => {
  const files = readdirSync(join(root, "docs/decisions")).filter((name) => /^\d{4}-/.test(name));
  const listed = [...read("docs/decisions/README.md").matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(
    ([, name]) => name,
  );
  expect(listed).toEqual(files.toSorted());
});

test("every dependency has its reason, with the version that is installed", () => {
  const rows = read("docs/decisions/0005-dependencies.md").matchAll(/^\| (@?[a-z][\w./-]*) \| (\d\S*) \|/gm);
  const explained = Object.fromEntries([...rows].map(([, name, version]) => [name, version]));
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  expect(explained).toEqual({ ...dependencies, ...optionalDependencies, ...devDependencies });
});

test("the image holds the Claude Code that the tests run, and the changelog this version", () => {
  const [, inImage] = /^ARG CLAUDE_VERSION=(\S+)$/m.exec(read("Dockerfile")) ?? [];
  expect(inImage).toBe(manifest.devDependencies["@anthropic-ai/claude-code"]);
  const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(read("CHANGELOG.md")) ?? [];
  expect(newest).toBe(manifest.version);
});

test("pages speak of Signoff alone: the only Telegram name in them is BotFather's, and links are few and known", () => {
  const handles = found(/(?<![\w./-])@([A-Za-z]\w{4,})(?![\w-]*\/)/g).filter(
    ({ what }) => what !== "BotFather",
  );
  expect(handles).toEqual([]);
  const known = new Set(["api.telegram.org", "code.claude.com", "nodejs.org", "semver.org"]);
  expect(found(/https?:\/\/([\w.-]+)/g).filter(({ what }) => !known.has(what))).toEqual([]);
});

test("no page holds a path of the machine that it was written on", () => {
  const paths = /(?<![\w.~$])(\/(?:root|work|tmp|mnt|Users|home\/(?!me\b|node\b))(?:\/[\w.-]*)?)/g;
  expect(found(paths)).toEqual([]);
});

/** What the first group of a pattern finds in all pages, and where. */
function found(pattern: RegExp): { what: string; where: string }[] {
  return pages.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)].map(([, what = ""]) => ({ what, where: name })),
  );
}

function isKey([table = "", key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return knownKeys[""]?.includes(table) === true;
  // The name of a project stands between the table and the key; a variable may have any name.
  if (table === "projects") return rest[0] === undefined || knownKeys["projects"]?.includes(rest[0]) === true;
  return knownKeys[table]?.includes(key) === true;
}

function keysIn(table: object, above: readonly string[] = []): string[][] {
  return Object.entries(table).flatMap(([key, value]: [string, unknown]) => {
    const path = [...above, key];
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value);
    return isTable ? [path, ...keysIn(value, path)] : [path];
  });
}

/** Headings as GitHub names them in links. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function markdownFiles(): string[] {
  const top = readdirSync(root).filter((name) => name.endsWith(".md"));
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name));
  return [...top, ...docs];
}

function sourceText(): string {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => read(relative(root, join(root, "src", name))))
    .join("\n");
}

function read(name: string): string {
  return readFileSync(join(root, name), "utf8");
}
