import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lookAt } from "../../src/app/reach.ts";
import type { JsonObject } from "../../src/core/agent-event.ts";
import type { Reach } from "../../src/core/policy.ts";

const reachOf = (input: JsonObject, project: string, own: readonly string[]): Reach =>
  lookAt({ input }, project, own).reach;

/** A project, a neighbour whose name begins alike, and Signoff's own folder, side by side on a real disk. */
function disk() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "signoff-reach-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [project, neighbour, own] = [join(root, "web"), join(root, "web-old"), join(root, "state")];
  for (const folder of [join(project, "src"), neighbour, own]) mkdirSync(folder, { recursive: true });
  for (const folder of [project, neighbour, own]) writeFileSync(join(folder, "a.txt"), "a");
  return {
    root,
    project,
    neighbour,
    own,
    link: (from: string, to: string): void => symlinkSync(to, join(project, from)),
    reach: (input: JsonObject): Reach => reachOf(input, project, [own]),
    read: (path: string): Reach => reachOf({ file_path: path }, project, [own]),
  };
}

test("paths in the project are inside, however they are written", () => {
  const { read, project } = disk();
  const paths = [project, `${project}/`, join(project, "a.txt"), "a.txt", "./src", ".", "src/../a.txt"];
  expect(paths.map(read)).toEqual(paths.map(() => "inside"));
});

test("paths elsewhere are outside, also those that begin like the project's", () => {
  const { read, neighbour, root } = disk();
  const paths = ["/", "/etc/passwd", root, neighbour, join(neighbour, "a.txt"), "..", "../web-old/a.txt"];
  expect(paths.map(read)).toEqual(paths.map(() => "outside"));
});

test("what does not exist yet is where it would be made", () => {
  const { read, project, neighbour } = disk();
  expect(read("new/folder/file.txt")).toBe("inside");
  expect(read(join(project, "src/new.ts"))).toBe("inside");
  expect(read(join(neighbour, "new/folder/file.txt"))).toBe("outside");
  expect(read("new/../../web-old/new.txt")).toBe("outside");
});

test("a link is what it leads to, for files, for folders and for what is made below them", () => {
  const { read, link, neighbour, own } = disk();
  link("file", join(neighbour, "a.txt"));
  link("folder", neighbour);
  link("relative", "../web-old");
  link("mine", own);
  link("home", "src");
  expect(["file", "folder/a.txt", "folder/new/file.txt", "relative/a.txt"].map(read)).toEqual([
    "outside",
    "outside",
    "outside",
    "outside",
  ]);
  expect(["mine", "mine/a.txt", "mine/new.txt"].map(read)).toEqual(["own", "own", "own"]);
  expect(read("home/new.ts")).toBe("inside");
});

test("Signoff's own folder is own, from wherever it is reached", () => {
  const { read, own } = disk();
  for (const path of [own, join(own, "a.txt"), join(own, "new/db"), "../state/a.txt"]) {
    expect(read(path), path).toBe("own");
  }
});

test("a single file can be Signoff's own, and its neighbours are not", () => {
  const { project, neighbour } = disk();
  const config = join(neighbour, "a.txt");
  expect(reachOf({ file_path: config }, project, [config])).toBe("own");
  expect(reachOf({ file_path: `${config}.old` }, project, [config])).toBe("outside");
});

test("Signoff's own folder stays own when it lies in the project, or is named by a link", () => {
  const { project, own, link } = disk();
  expect(reachOf({ file_path: "src/x" }, project, [join(project, "src")])).toBe("own");
  link("state-link", own);
  expect(reachOf({ file_path: join(own, "a.txt") }, project, [join(project, "state-link")])).toBe("own");
});

test("a project that is reached by a link is itself all the same", () => {
  const { root, project, own } = disk();
  const alias = join(root, "alias");
  symlinkSync(project, alias);
  expect(reachOf({ file_path: join(alias, "a.txt") }, alias, [own])).toBe("inside");
  expect(reachOf({ file_path: join(project, "a.txt") }, alias, [own])).toBe("inside");
});

test.each(["file_path", "notebook_path", "path"])("%s names a path", (field) => {
  const { reach } = disk();
  expect([reach({ [field]: "a.txt" }), reach({ [field]: "/etc" })]).toEqual(["inside", "outside"]);
});

test("of several paths the one that reaches furthest counts", () => {
  const { reach, own } = disk();
  expect(reach({ file_path: "a.txt", path: "/etc" })).toBe("outside");
  expect(reach({ file_path: "/etc", path: own })).toBe("own");
});

test.each<JsonObject>([
  {},
  { command: "cat /etc/passwd" },
  { path: "" },
  { path: null },
  { file_path: ["/etc"] },
])("an input that names no path stays inside: %j", (input) => {
  expect(disk().reach(input)).toBe("inside");
});

test("a link to a file that is not there yet leads to where it points", () => {
  const { read, link, own, neighbour } = disk();
  link("to-own", join(own, "new.db"));
  link("to-neighbour", join(neighbour, "new.txt"));
  link("round", "round");
  expect(["to-own", "to-neighbour", "round"].map(read)).toEqual(["own", "outside", "inside"]);
});

test("home is not a folder of the project, and a pattern can lead out as well", () => {
  const { read, reach, root } = disk();
  expect([read("~"), read("~/x"), read("~x")]).toEqual(["outside", "outside", "inside"]);
  const patterns = ["**/*.ts", `${root}/**`, "../*", "src/../../*", "~/.ssh/*", "a..b/*"];
  expect(patterns.map((pattern) => reach({ pattern }))).toEqual([
    "inside",
    "outside",
    "outside",
    "outside",
    "outside",
    "inside",
  ]);
});

test("every path is given as it is written and as it really leads, a blocked one too", () => {
  const { project, neighbour, own, link } = disk();
  link("door", neighbour);
  expect(lookAt({ input: { file_path: "door/a.txt" }, blockedPath: "/blocked" }, project, [own])).toEqual({
    reach: "outside",
    paths: [
      { written: join(project, "door/a.txt"), real: join(neighbour, "a.txt") },
      { written: "/blocked", real: "/blocked" },
    ],
    project,
  });
  expect(lookAt({ input: { command: "ls" }, blockedPath: "" }, project, [own]).paths).toEqual([]);
});
