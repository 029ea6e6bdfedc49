import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identify, isAlive, type ProcessIdentity } from "../claude/process-identity.ts";

/** What a state folder's note says of its bot. */
export type NotedBot = { state: "running" | "gone"; pid: number } | { state: "none" };

/** Notes this process as the bot of a state folder whose lock it holds. */
export function writePidFile(stateDir: string): void {
  // With its start time: a pid alone may later belong to a stranger.
  const me = identify(process.pid) ?? { pid: process.pid };
  // Renamed into place, because `signoff stop` may read at any moment and must not meet half a file.
  const draft = `${pidFile(stateDir)}.new`;
  writeFileSync(draft, `${JSON.stringify(me)}\n`, { mode: 0o600 });
  renameSync(draft, pidFile(stateDir));
}

/** The bot that a state folder's note names: running, gone, or never noted. */
export async function readPidFile(stateDir: string): Promise<NotedBot> {
  const noted = parseNote(stateDir);
  if (noted === undefined) return { state: "none" };
  return { state: (await isAlive(noted)) ? "running" : "gone", pid: noted.pid };
}

/** Removes the note; only the holder of the lock may. */
export function removePidFile(stateDir: string): void {
  rmSync(pidFile(stateDir), { force: true });
}

function pidFile(stateDir: string): string {
  return join(stateDir, "bot.pid");
}

function parseNote(stateDir: string): ProcessIdentity | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(pidFile(stateDir), "utf8"));
    if (typeof note !== "object" || note === null || !("pid" in note) || !("startTime" in note))
      return undefined;
    const { pid, startTime } = note;
    // Zero and negative numbers name whole groups of processes: never to be signalled.
    if (typeof pid !== "number" || !Number.isInteger(pid) || pid < 2 || typeof startTime !== "string")
      return undefined;
    return { pid, startTime };
  } catch {
    // Missing or damaged, the note tells nothing; the lock is what counts.
    return undefined;
  }
}
