import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/app/config.ts";
import { knownKeys } from "../../src/app/config-schema.ts";

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
  for (const line of example.split("\n")) {
    const [, header] = /^\[(\w+)(?:\.\w+)?\]$/.exec(line) ?? [];
    const [, key] = /^(?:# )?(\w+) = /.exec(line) ?? [];
    const nested = line === "[claude.env]" ? "env" : undefined;
    if (header !== undefined) {
      table = header;
      explained[table] ??= [];
      explained[""]?.push(...(explained[""].includes(table) ? [] : [table]));
    }
    const named = key ?? nested;
    if (named !== undefined && above.startsWith("# ")) explained[table]?.push(named);
    above = line;
  }
  expect(explained).toEqual(knownKeys);
});
