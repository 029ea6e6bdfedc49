import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../../src/app/config-error.ts";
import { type Lock, takeLock } from "../../src/app/lock.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signoff-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function take(stateDir: string): Lock {
  const lock = takeLock(stateDir);
  if (lock === "taken") throw new Error("The lock is taken.");
  onTestFinished(() => lock.release());
  return lock;
}

/** Another process that takes the lock and keeps it until it is killed. */
async function holder(stateDir: string): Promise<ChildProcess> {
  const script = `
    import { takeLock } from ${JSON.stringify(new URL("../../src/app/lock.ts", import.meta.url).href)};
    process.stdout.write(typeof takeLock(process.argv[1]) === "object" ? "held" : "taken");
    setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script, stateDir],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toBe("held");
  return child;
}

test("the lock is refused while another process holds it, and free once that is killed", async () => {
  const other = await holder(folder);
  const before = takeLock(folder);
  other.kill("SIGKILL");
  await once(other, "exit");
  take(folder);
  expect(before).toBe("taken");
});

test("the same process cannot take the lock twice, and trying does not lose it to others", async () => {
  take(folder);
  expect([takeLock(folder), takeLock(folder)]).toEqual(["taken", "taken"]);
  await expect(holder(folder)).rejects.toThrow("taken");
});

test("a released lock is free; to release it again does no harm", () => {
  const first = take(folder);
  first.release();
  const second = take(folder);
  first.release();
  expect(takeLock(folder)).toBe("taken");
  second.release();
});

test("the folder is created for its owner alone, with nothing in it but the lock", async () => {
  const stateDir = join(folder, "deep/state");
  take(stateDir);
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  expect({
    folder: await modeOf(stateDir),
    lock: await modeOf(join(stateDir, "bot.lock")),
    files: await readdir(stateDir),
  }).toEqual({ folder: 0o700, lock: 0o600, files: ["bot.lock"] });
});

test("an empty folder that others could enter is closed; one that holds other things is left as it is", async () => {
  const [empty, used] = [join(folder, "empty"), join(folder, "used")];
  await mkdir(empty);
  await mkdir(used);
  await writeFile(join(used, "letter"), "");
  for (const path of [empty, used]) {
    await chmod(path, 0o755);
    take(path);
  }
  const modes = [(await stat(empty)).mode & 0o777, (await stat(used)).mode & 0o777];
  expect(modes).toEqual([0o700, 0o755]);
});

function complaintAbout(stateDir: string): string {
  try {
    takeLock(stateDir);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(folder, "FOLDER");
    throw error;
  }
  return "";
}

test("a file where the folder should be", async () => {
  await writeFile(join(folder, "file"), "");
  expect([
    complaintAbout(join(folder, "file")),
    complaintAbout(join(folder, "file/state")),
  ]).toMatchInlineSnapshot(`
    [
      "state_dir "FOLDER/file" cannot be created (EEXIST: file already exists, mkdir 'FOLDER/file'). Name another folder in state_dir.",
      "state_dir "FOLDER/file/state" cannot be created (ENOTDIR: not a directory, mkdir 'FOLDER/file/state'). Name another folder in state_dir.",
    ]
  `);
});

test.skipIf(process.getuid?.() === 0)("a folder that cannot be written", async () => {
  await chmod(folder, 0o500);
  expect(complaintAbout(folder)).toBe(
    `state_dir "FOLDER" cannot be written (EACCES: permission denied, access 'FOLDER'). ` +
      "Name another folder in state_dir, or run chmod 700 on it.",
  );
});

test.skipIf(process.getuid?.() === 0)("a folder that belongs to somebody else", () => {
  expect(complaintAbout("/usr")).toBe(
    'state_dir "/usr" belongs to another user. Name another folder in state_dir.',
  );
});
