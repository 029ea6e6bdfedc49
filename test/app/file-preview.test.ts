import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPreview } from "../../src/app/file-preview.ts";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "signoff-preview-"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const write = (file_path: string, content = "new\n") => ({ tool: "Write", input: { file_path, content } });

test("the file is compared as it is on the disk, by a relative or an absolute path", () => {
  writeFileSync(join(project, "a.txt"), "old\n");
  for (const path of ["a.txt", join(project, "a.txt")]) {
    expect(readPreview(write(path), project)?.change).toEqual({
      added: 1,
      removed: 1,
      diff: "@@ -1,1 +1,1 @@\n-old\n+new",
    });
  }
});

test("a link is followed, as Claude follows it", () => {
  writeFileSync(join(project, "real.txt"), "old\n");
  symlinkSync("real.txt", join(project, "link.txt"));
  expect(readPreview(write("link.txt"), project)?.change).toMatchObject({ added: 1, removed: 1 });
});

test("a file that is not there is a new one", () => {
  expect(readPreview(write("folder/a.txt"), project)).toEqual({ notes: ["New file, 1 line"] });
});

test("binary and huge files are told, not shown", () => {
  writeFileSync(join(project, "a.bin"), Buffer.from([1, 0, 2]));
  writeFileSync(join(project, "latin.txt"), Buffer.from([0x66, 0xfc, 0x72]));
  writeFileSync(join(project, "huge.txt"), "x".repeat(1_500_000));
  expect(readPreview(write("a.bin"), project)?.notes).toEqual(["The file is not text: not compared"]);
  expect(readPreview(write("latin.txt"), project)?.notes).toEqual(["The file is not text: not compared"]);
  expect(readPreview(write("huge.txt"), project)?.notes).toEqual(["The file has 1.5 MB: not compared"]);
});

test("what cannot be read, or must not be waited for, has no preview", () => {
  mkdirSync(join(project, "folder"));
  execFileSync("sh", ["-c", `mkfifo "$0"`, join(project, "pipe")]);
  writeFileSync(join(project, "a.txt"), "");
  symlinkSync("loop", join(project, "loop"));
  for (const path of ["folder", "pipe", "/dev/zero", "a.txt/below", "loop", "nul\0"]) {
    expect(readPreview(write(path), project), path).toBeUndefined();
  }
});

test.skipIf(process.getuid?.() === 0)("a file that we may not read has no preview", () => {
  writeFileSync(join(project, "a.txt"), "old");
  chmodSync(join(project, "a.txt"), 0);
  expect(readPreview(write("a.txt"), project)).toBeUndefined();
});

test("a tool that changes no file has no preview", () => {
  expect(readPreview({ tool: "Read", input: { file_path: "a.txt" } }, project)).toBeUndefined();
});
