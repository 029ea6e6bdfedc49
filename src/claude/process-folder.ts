import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The log of all that was written to Claude: byte for byte its stdin. */
export const inLog = (folder: string): string => join(folder, "in.jsonl");
/** The log of all that Claude wrote to stdout. */
export const outLog = (folder: string): string => join(folder, "out.jsonl");
/** What Claude wrote to stderr, and what the shell said of its end. */
export const errLog = (folder: string): string => join(folder, "err.log");

/** The name, inside the folder, of the record that appears when Claude has ended. */
export const exitRecord = "exit";

/** Makes the folder of one process with its empty logs, for this user alone; false if it holds anything already. */
export async function createFolder(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) return false;
  await chmod(folder, 0o700);
  // "wx": if two starts meet in one empty folder, the second one throws instead of sharing the logs.
  for (const log of [inLog(folder), outLog(folder), errLog(folder)]) {
    await writeFile(log, "", { flag: "wx", mode: 0o600 });
  }
  return true;
}

/** The exit code Claude ended with (128 + n after signal n), or undefined while there is no record. */
export async function readExit(folder: string): Promise<number | undefined> {
  try {
    const code = Number.parseInt(await readFile(join(folder, exitRecord), "utf8"), 10);
    return Number.isNaN(code) ? undefined : code;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Removes the folder of a process that has ended and whose output is consumed. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Whether a file system call failed because the path is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
