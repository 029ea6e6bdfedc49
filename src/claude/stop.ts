import type { SessionMarks } from "./marked.ts";
import { killMarked, sendSignal } from "./marked.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { isAlive } from "./process-identity.ts";
import { waitUntil } from "./wait-until.ts";

/** A process to be ended, and how patiently. */
export type Stop = ProcessIdentity & {
  marks: SessionMarks;
  /** Writes the polite request to end to Claude's stdin. */
  askToEnd: () => void;
  graceMs?: number;
  /** How long SIGTERM, and then SIGKILL, may take to show effect. */
  signalMs?: number;
};

/** What it took to end a process, which strays were killed after it, and which (none, by all rights) are left. */
export type Stopped = {
  took: "nothing" | "asking" | "sigterm" | "sigkill";
  strays: number[];
  left: number[];
};

/** Ends a process and all it started: asks, then SIGTERM, then SIGKILL to its group, then whatever carries its mark. */
export async function stopProcess(stop: Stop): Promise<Stopped> {
  const took = await stopGroup(stop);
  // Bash tools have sessions of their own, and Claude may leave them behind however politely it went.
  const { killed, left } = await killMarked(
    stop.marks.instance,
    (found) => found.session === stop.marks.session,
  );
  return { took, strays: killed, left };
}

/** Kills the processes of sessions nobody knows (any more), as found at start; returns their pids. */
export async function sweep(instance: string, isKnown: (session: string) => boolean): Promise<number[]> {
  const { killed } = await killMarked(instance, ({ session }) => session !== undefined && !isKnown(session));
  return killed;
}

async function stopGroup(stop: Stop): Promise<Stopped["took"]> {
  const { pid, graceMs = 5_000, signalMs = 2_000 } = stop;
  const isGone = async () => !(await isAlive(stop));
  // A leader that is gone may have left its number to a stranger: then nothing is sent to "its" group, and what is
  // left of the real group is found by its mark.
  if (await isGone()) return "nothing";
  stop.askToEnd();
  if (await waitUntil(isGone, graceMs)) return "asking";
  sendSignal(-pid, "SIGTERM");
  if (await waitUntil(isGone, signalMs)) return "sigterm";
  sendSignal(-pid, "SIGKILL");
  await waitUntil(isGone, signalMs);
  return "sigkill";
}
