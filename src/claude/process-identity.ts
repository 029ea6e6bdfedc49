import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { execa } from "execa";

/** A process that cannot be mistaken for a later one with the same pid. */
export type ProcessIdentity = { pid: number; startTime: string };

/** Where the system tells about processes: Linux has /proc, everywhere else there is `ps`. */
export type ProcessTable = "proc" | "ps";

/** The process table of the system we run on. */
export const ownTable: ProcessTable = process.platform === "linux" ? "proc" : "ps";

/**
 * The identity of a child just started, or undefined if there is no such process.
 * Synchronous: within the tick of its spawn a child is not reaped yet, so even one that died at once is found.
 */
export function identify(pid: number, table: ProcessTable = ownTable): ProcessIdentity | undefined {
  const found = table === "proc" ? readProc(pid) : parsePs(runPs(pid));
  return found && { pid, startTime: found.startTime };
}

/** Whether this very process still runs: not another one with its pid, and not a zombie. */
export async function isAlive(
  { pid, startTime }: ProcessIdentity,
  table: ProcessTable = ownTable,
): Promise<boolean> {
  const found =
    table === "proc"
      ? readProc(pid)
      : parsePs((await execa("ps", psArguments(pid), { env: psEnv, reject: false })).stdout);
  return found?.startTime === startTime && !found.isZombie;
}

type Found = { startTime: string; isZombie: boolean };

function readProc(pid: number): Found | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may hold anything, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, ticks] = [fields[0], fields[19]];
  if (state === undefined || ticks === undefined) return undefined;
  return { startTime: `${ticks}@${bootId()}`, isZombie: state === "Z" || state === "X" };
}

let knownBootId: string | undefined;

// Ticks count from the boot, and a machine that boots twice alike gives the same pid the same ticks.
function bootId(): string {
  try {
    knownBootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    knownBootId = "";
  }
  return knownBootId;
}

// `lstart` is printed in the locale and time zone of the caller: pinned, so that two bots read the same.
const psEnv = { LC_ALL: "C", TZ: "UTC0" };
const psArguments = (pid: number) => ["-o", "stat=,lstart=", "-p", String(pid)];

function runPs(pid: number): string {
  try {
    return execFileSync("ps", psArguments(pid), { env: { ...process.env, ...psEnv }, encoding: "utf8" });
  } catch {
    return "";
  }
}

function parsePs(output: string): Found | undefined {
  const [state, ...started] = output.trim().split(/\s+/);
  if (!state || started.length === 0) return undefined;
  return { startTime: started.join(" "), isZombie: state.startsWith("Z") };
}
