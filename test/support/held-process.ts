import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import type { Launched } from "../../src/claude/launch.ts";
import { launchProcess } from "../../src/claude/launch.ts";
import { killMarked } from "../../src/claude/marked.ts";
import { outLog } from "../../src/claude/process-folder.ts";
import type { Stdin, StdinFailure } from "../../src/claude/stdin.ts";
import { openStdin } from "../../src/claude/stdin.ts";

/** The command line of the stand-in for the CLI. */
export const fakeClaude = [process.execPath, fileURLToPath(new URL("fake-claude.mjs", import.meta.url))];

/** Waits for a condition, patiently enough for a busy machine, and returns its value. */
export function until<Value>(check: () => Value): Promise<Value> {
  return vi.waitFor(check, { timeout: 20_000, interval: 10 });
}

/** A folder for one test, and an instance of its own: at the test's end its processes are killed and it is removed. */
export function aPlace(): { base: string; folder: string; instance: string } {
  const base = mkdtempSync(join(tmpdir(), "signoff-process-"));
  const instance = randomUUID();
  onTestFinished(async () => {
    await killMarked(instance, () => true);
    await rm(base, { recursive: true, force: true });
  });
  return { base, folder: join(base, randomUUID()), instance };
}

/** Launches a program in the place, as session "s", with nothing but PATH in its environment. */
export async function launched(
  place: { base: string; folder: string; instance: string },
  argv: string[],
): Promise<Extract<Launched, { ok: true }>> {
  const result = await launchProcess({
    folder: place.folder,
    argv,
    cwd: place.base,
    env: { PATH: process.env["PATH"] ?? "" },
    marks: { instance: place.instance, session: "s" },
  });
  if (!result.ok) throw new Error(result.message);
  return result;
}

/** A stdin whose source is kept in memory; closed at the test's end. */
export function heldStdin(
  place: { folder: string; instance: string },
  start: Buffer = Buffer.alloc(0),
): { stdin: Stdin; failures: StdinFailure[]; send: (line: string | object) => void } {
  let bytes = start;
  const failures: StdinFailure[] = [];
  const stdin = openStdin({
    folder: place.folder,
    instance: place.instance,
    source: { read: (offset) => (offset < bytes.length ? bytes.subarray(offset) : undefined) },
    onError: (failure) => failures.push(failure),
  });
  onTestFinished(() => stdin.close());
  return {
    stdin,
    failures,
    send(line) {
      const text = typeof line === "string" ? line : JSON.stringify(line);
      bytes = Buffer.concat([bytes, Buffer.from(`${text}\n`)]);
      stdin.wake();
    },
  };
}

/** What the stand-in has said so far, parsed. */
export function saidIn(folder: string): Record<string, unknown>[] {
  const whole = readFileSync(outLog(folder), "utf8").split("\n").slice(0, -1);
  return whole.map((line): Record<string, unknown> => JSON.parse(line));
}

/** What the stand-in says of a line that holds no order. */
export function acknowledgement(line: string): Record<string, unknown> {
  return { characters: line.length, sha256: createHash("sha256").update(line).digest("hex") };
}
