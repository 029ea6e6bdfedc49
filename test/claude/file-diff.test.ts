import { expect, test } from "vitest";
import { changedFile, previewChange } from "../../src/claude/file-diff.ts";
import type { JsonObject } from "../../src/core/agent-event.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
const on = (text: string) => ({ kind: "text", text }) as const;
const edit = (from: string, to: string, more: JsonObject = {}) => ({
  old_string: from,
  new_string: to,
  ...more,
});

test("an edit is the difference to the file as it is, with little around it", () => {
  expect(
    previewChange("Edit", edit("line 5\n", "five\nand a half\n"), on(numbered(20))),
  ).toMatchInlineSnapshot(`
    {
      "change": {
        "added": 2,
        "diff": "@@ -3,5 +3,6 @@
     line 3
     line 4
    -line 5
    +five
    +and a half
     line 6
     line 7",
        "removed": 1,
      },
      "notes": [],
    }
  `);
});

test("several edits are one difference", () => {
  const edits = [edit("line 2\n", ""), edit("line 18", "eighteen")];
  const { change } = previewChange("MultiEdit", { edits }, on(numbered(20))) ?? {};
  expect(change).toMatchObject({ added: 1, removed: 2 });
  expect(change?.diff.match(/^@@/gm)).toHaveLength(2);
});

test("a deletion takes its line along, as Claude does it", () => {
  const { change } = previewChange("Edit", edit("line 2", ""), on("line 1\nline 2\nline 3\n")) ?? {};
  expect(change).toEqual({ added: 0, removed: 1, diff: "@@ -1,3 +1,2 @@\n line 1\n-line 2\n line 3" });
});

test("what stands for itself in a replacement stands for itself", () => {
  const { change } = previewChange("Edit", edit("a", "$& $1"), on("a")) ?? {};
  expect(change?.diff).toContain("+$& $1");
});

test.each([
  [
    edit("gone", "x"),
    on("a"),
    "⚠️ Claude's edit will most likely fail: the text to replace is not in the file",
  ],
  [
    edit("a", "x"),
    on("a a a"),
    "⚠️ Claude's edit will most likely fail: the text to replace is in the file 3 times",
  ],
  [
    edit("a", "x"),
    { kind: "absent" } as const,
    "⚠️ Claude's edit will most likely fail: there is no such file",
  ],
  [edit("", "x"), on("a"), "⚠️ Claude's edit will most likely fail: the file is there already"],
  [edit("a", "a"), on("a"), "No line changes"],
])("an edit that cannot be made, or makes nothing, says so: %j", (input, now, note) => {
  expect(previewChange("Edit", input, now)).toEqual({ notes: [note] });
});

test("one of several edits that fails is named", () => {
  const edits = [edit("a", "b"), edit("gone", "x")];
  expect(previewChange("MultiEdit", { edits }, on("a"))?.notes).toEqual([
    "⚠️ Edit 2 will most likely fail: the text to replace is not in the file",
  ]);
});

test("replacements of replacements do not grow without end", () => {
  const edits = Array.from({ length: 9 }, () => edit("a", "a".repeat(1000), { replace_all: true }));
  expect(previewChange("MultiEdit", { edits }, on("a"))?.notes).toEqual([
    "The new text is too long to be compared",
  ]);
});

test("replacing everywhere says in how many places", () => {
  const preview = previewChange("Edit", edit("a", "b", { replace_all: true }), on("a\na\nc\n"));
  expect(preview?.notes).toEqual(["Replaces all 2 places"]);
  expect(preview?.change).toMatchObject({ added: 2, removed: 2 });
});

test("a text that differs in its quotation marks alone is found, as Claude finds it", () => {
  const preview = previewChange("Edit", edit(`say "hi"`, "bye"), on("say “hi”\n"));
  expect(preview?.notes).toEqual(["Found with other quotation marks"]);
  expect(preview?.change?.diff).toContain("-say “hi”");
});

test.each([
  ["", "New file, empty"],
  ["one", "New file, 1 line"],
  ["one\ntwo\n", "New file, 2 lines"],
])("a new file is called one: %j", (content, note) => {
  expect(previewChange("Write", { content }, { kind: "absent" })).toEqual({ notes: [note] });
});

test("an edit of nothing makes a new file too", () => {
  expect(previewChange("Edit", edit("", "a\nb\n"), { kind: "absent" })).toEqual({
    notes: ["New file, 2 lines"],
  });
});

test("Windows line ends are no difference by themselves, but their loss is told", () => {
  const now = on("a\r\nb\r\n");
  expect(previewChange("Edit", edit("a\nb", "a\nc"), now)?.change).toMatchObject({ added: 1, removed: 1 });
  expect(previewChange("Write", { content: "a\nb\n" }, now)?.notes).toEqual([
    "The file has Windows line ends, the new text has not",
    "No line changes",
  ]);
});

test.each([
  [{ kind: "binary" } as const, "The file is not text: not compared"],
  [{ kind: "huge", bytes: 3_210_000 } as const, "The file has 3.2 MB: not compared"],
])("a file that cannot be compared is told: %j", (now, note) => {
  expect(previewChange("Write", { content: "x" }, now)).toEqual({ notes: [note] });
});

test("what would take too long or too much room is not compared, and nothing is kept in part", () => {
  const other = numbered(3000).replaceAll("line", "row");
  const rewritten = previewChange("Write", { content: other }, on(numbered(3000)));
  expect(rewritten).toEqual({ notes: ["Too different from the file to be compared"] });
  const wide = previewChange("Write", { content: "y".repeat(300_000) }, on("x"));
  expect(wide).toEqual({ notes: ["The difference is too long to be kept: the input is shown as it came"] });
  const huge = previewChange("Write", { content: "y".repeat(5_000_000) }, on("x"));
  expect(huge).toEqual({ notes: ["The new text has 5.0 MB: not compared"] });
});

const notebook = JSON.stringify({
  cells: [
    { id: "abc", cell_type: "code", source: ["a = 1\n", "b = 2"] },
    { cell_type: "markdown", source: "# Title" },
  ],
});

test.each([
  [{ cell_id: "abc", new_source: "a = 1\nb = 3" }, "Cell abc", 1, 1],
  [{ cell_id: "cell-1", new_source: "# Other" }, "Cell cell-1", 1, 1],
  [{ cell_id: "abc", new_source: "x\ny", edit_mode: "insert" }, "New cell after abc", 2, 0],
  [{ new_source: "x", edit_mode: "insert" }, "New cell at the beginning", 1, 0],
  [{ cell_id: "abc", new_source: "", edit_mode: "delete" }, "Deletes cell abc", 0, 2],
])("a notebook is compared cell by cell: %j", (input, note, added, removed) => {
  expect(previewChange("NotebookEdit", input, on(notebook))).toMatchObject({
    notes: [note],
    change: { added, removed },
  });
});

test("a cell that is not there, and a file that is no notebook, are told", () => {
  const input = { cell_id: "zzz", new_source: "x" };
  expect(previewChange("NotebookEdit", input, on(notebook))?.notes[0]).toContain("there is no cell zzz");
  expect(previewChange("NotebookEdit", input, on("{"))?.notes[0]).toContain("no notebook");
  expect(previewChange("NotebookEdit", input, { kind: "absent" })?.notes[0]).toContain("no notebook");
});

test.each([
  ["Edit", { old_string: 1, new_string: "x" }],
  ["MultiEdit", { edits: "x" }],
  ["MultiEdit", { edits: [] }],
  ["MultiEdit", { edits: [edit("a", "b"), 3] }],
  ["Write", {}],
  ["NotebookEdit", { cell_id: 4, new_source: "x" }],
  ["Read", { file_path: "x" }],
])("an input that does not fit has no preview: %s %j", (tool, input) => {
  expect(previewChange(tool, input, on("a"))).toBeUndefined();
});

test("only tools that change a file name one", () => {
  expect(changedFile("Edit", { file_path: "a.ts" })).toBe("a.ts");
  expect(changedFile("NotebookEdit", { notebook_path: "a.ipynb" })).toBe("a.ipynb");
  expect(changedFile("Read", { file_path: "a.ts" })).toBeUndefined();
  expect(changedFile("Write", { file_path: 3 })).toBeUndefined();
});
