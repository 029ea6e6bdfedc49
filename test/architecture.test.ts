import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { breaches, type Files, importsOf } from "./support/import-law.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function sourceFiles(): Files {
  const paths = ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** A small project that keeps every rule, with these files added or changed. */
function project(changed: Record<string, string>): Files {
  return new Map(
    Object.entries({
      "src/main.ts": 'import { build } from "./app/build.ts";',
      "src/app/build.ts":
        'import { send } from "../telegram/send.ts";\nimport { rows } from "../store/rows.ts";',
      "src/telegram/send.ts": 'import type { Id } from "../core/id.ts";',
      "src/store/rows.ts": 'import Database from "better-sqlite3";',
      "src/core/id.ts": "export type Id = string;",
      ...changed,
    }),
  );
}

test("every file keeps to the import directions, has a name of its own and stays small", () => {
  const files = sourceFiles();
  expect(files.has("src/main.ts")).toBe(true);
  expect(breaches(files)).toEqual([]);
});

test("the checker finds nothing wrong with a project that keeps the rules", () => {
  expect(breaches(project({}))).toEqual([]);
});

test.each([
  ["src/core/id.ts", 'import { rows } from "../store/rows.ts";', "core imports store"],
  ["src/core/id.ts", 'import { readFile } from "node:fs/promises";', "core imports node:fs/promises"],
  ["src/core/id.ts", 'import "zod";', "core imports zod"],
  ["src/telegram/send.ts", 'import { rows } from "../store/rows.ts";', "telegram imports store"],
  ["src/telegram/send.ts", 'const rows = await import("../store/rows.ts");', "telegram imports store"],
  ["src/store/rows.ts", 'import {\n  build,\n} from "../app/build.ts";', "store imports app"],
  ["src/store/rows.ts", 'export { build } from "../app/build.ts";', "store imports app"],
  ["src/main.ts", 'import { rows } from "./store/rows.ts";', "main imports store"],
  ["src/app/build.ts", 'import "../main.ts";', "app imports main"],
  ["src/app/build.ts", 'import { stage } from "../../test/stage.ts";', "not there"],
  ["src/app/build.ts", 'import { gone } from "./gone.ts";', "not there"],
  ["src/extra/one.ts", "export const one = 1;", "belongs to no layer"],
  ["src/app/utils.ts", "export const one = 1;", "does not say what is in it"],
  ["test/support/helpers.ts", "export const one = 1;", "does not say what is in it"],
  ["src/app/one.ts", "export default 1;", "default export"],
  ["src/app/one.ts", "const one = 1;\nexport { one as default };", "default export"],
  ["src/app/one.ts", 'export * from "./build.ts";', "barrel"],
  ["src/app/one.ts", "\nconst one = 1;".repeat(300), "lines"],
])("the checker sees what is wrong with %s when it says %j", (path, text, breach) => {
  expect(breaches(project({ [path]: text })).join("\n")).toContain(breach);
});

test("the checker sees that src imports a test, also one that is there", () => {
  const files = project({
    "test/stage.ts": "export const stage = 1;",
    "src/app/build.ts": 'import { stage } from "../../test/stage.ts";',
  });
  expect(breaches(files)).toEqual(["src/app/build.ts: app imports outside src (test/stage.ts)"]);
});

test("the checker sees a circle of imports, in whole and once", () => {
  const files = project({
    "src/app/a.ts": 'import { b } from "./b.ts";',
    "src/app/b.ts": 'import { c } from "./c.ts";',
    "src/app/c.ts": 'import type { A } from "./a.ts";',
  });
  expect(breaches(files)).toEqual(["cycle: src/app/a.ts → src/app/b.ts → src/app/c.ts → src/app/a.ts"]);
});

test("an import in a comment is none", () => {
  const text = '// import { a } from "./a.ts";\n/* import "./b.ts";\n import("./c.ts") */\nimport "./d.ts";';
  expect(importsOf(text)).toEqual(["./d.ts"]);
});
