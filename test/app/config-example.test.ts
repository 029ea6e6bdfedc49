import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/app/config.ts";
import { knownEntryKeys, knownKeys } from "../../src/app/config-schema.ts";

const example = await readFile(new URL("../../config.example.toml", import.meta.url), "utf8");

/** Loads two texts as the same owner would, in a home of their own. */
async function loadBoth(first: string, second: string) {
  const home = await mkdtemp(join(tmpdir(), "signoff-example-"));
  try {
    await mkdir(join(home, "web"));
    const load = async (text: string) => {
      await writeFile(join(home, "signoff.toml"), text, { mode: 0o600 });
      return loadConfig({ env: {}, cwd: home, homedir: home });
    };
    return [await load(first), await load(second)];
  } finally {
    await rm(home, { recursive: true });
  }
}

test("the example, with token, ids and folder filled in, is the smallest configuration written out", async () => {
  const mine = { token: "42:mine", users: "[7]", path: "~/web" };
  const filled = example
    .replace(/^token = .*$/m, `token = "${mine.token}"`)
    .replace(/^allowed_users = .*$/m, `allowed_users = ${mine.users}`)
    .replace(/^path = .*$/m, `path = "${mine.path}"`);
  const smallest = `[telegram]\ntoken = "${mine.token}"\nallowed_users = ${mine.users}\n[projects.web]\npath = "${mine.path}"`;
  const [fromExample, fromSmallest] = await loadBoth(filled, smallest);
  expect(fromExample).toEqual(fromSmallest);
});

test("the example shows every key there is, each below a line that explains it", () => {
  const explained: Record<string, string[]> = { "": [] };
  let table = "";
  let above = "";
  const note = (owner: string, key: string) => {
    explained[owner] ??= [];
    if (!explained[owner].includes(key)) explained[owner].push(key);
  };
  for (const line of example.split("\n")) {
    const [, header] = /^\[(\w+)(?:\.\w+)?\]$/.exec(line) ?? [];
    // As [[approvals.rules]]: a table of which there can be several, and a key of the one above it.
    const [, owner, entry] = /^# \[\[(\w+)(?:\.\w+)?\.(\w+)\]\]$/.exec(line) ?? [];
    const [, key] = /^(?:# )?(\w+) = /.exec(line) ?? [];
    const isExplained = above.startsWith("# ");
    if (header !== undefined) {
      table = header;
      note("", table);
      explained[table] ??= [];
    }
    if (owner !== undefined && entry !== undefined) {
      table = entry;
      if (isExplained) note(owner, entry);
    }
    const named = key ?? (line === "[claude.env]" ? "env" : undefined);
    if (named !== undefined && isExplained) note(table, named);
    above = line;
  }
  const sorted = (tables: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(tables).map(([name, keys]) => [name, keys.toSorted()]));
  expect(sorted(explained)).toEqual(sorted({ ...knownKeys, ...knownEntryKeys }));
});

test("the tables that the example only hints at can be written as they stand there", async () => {
  const hinted = example
    .replaceAll(
      /^# (\[\[.*\]\]|(?:chat|users|tool|decision|reason|paths|expire_minutes|remind_minutes) = .*)$/gm,
      "$1",
    )
    .replace(/^path = .*$/m, 'path = "~/web"');
  const [config] = await loadBoth(hinted, hinted);
  expect(config?.telegram.approvers).toEqual(new Map([[-1001234567890, [111]]]));
  expect(config?.approvals.rules.own).toMatchObject([
    { tool: "Edit", paths: ["src/**", "docs/*.md"], decision: "deny" },
  ]);
  expect(config?.defaultProject.rules.own).toMatchObject([{ tool: "Write", decision: "allow" }]);
});
