import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { describeError } from "../core/describe-error.ts";
import { loadStateDir } from "./config.ts";
import { type Lock, takeLock } from "./lock.ts";
import { createLog, type Log } from "./log.ts";
import { readPidFile, removePidFile } from "./pid-file.ts";
import type { Surroundings } from "./surroundings.ts";

/** How to get at the end of Claude's processes. */
export type LoadShutdown = () => Promise<{
  /** Ends every process of Claude's that belongs to the state folder, and says how many there were. */
  endAllProcesses: (input: { stateDir: string; log: Log }) => Promise<number>;
}>;

/** How long `signoff stop` waits for the bot, in milliseconds. */
type StopTimes = { limit: number; untilProgress: number; between: number };
const usualTimes: StopTimes = { limit: 60_000, untilProgress: 2_000, between: 100 };

/** `signoff stop`: ends the bot of a state folder and, if asked to, Claude's processes. */
export async function runStop(
  { all, configPath }: { all: boolean; configPath?: string },
  around: Surroundings,
  loadShutdown: LoadShutdown,
  times = usualTimes,
): Promise<number> {
  const stateDir = await loadStateDir({
    ...around,
    ...(configPath === undefined ? {} : { argvPath: configPath }),
  });
  // Asking about a folder that is not there must not create it.
  if (!existsSync(stateDir)) {
    around.out(`No bot is running for ${stateDir}.`);
    return 0;
  }
  const lock = await stopBot(stateDir, around, times);
  if (lock === "not stopped") return 1;
  try {
    // The lock is kept meanwhile: a bot started now would take the processes over while they are being ended.
    if (all) await endProcesses(stateDir, around, loadShutdown);
    return 0;
  } finally {
    lock.release();
  }
}

/** Ends the bot, if one runs, and takes its place as the holder of the lock. */
async function stopBot(
  stateDir: string,
  around: Surroundings,
  times: StopTimes,
): Promise<Lock | "not stopped"> {
  const free = takeLock(stateDir);
  const noted = await readPidFile(stateDir);
  if (free !== "taken") {
    const stale =
      noted.state === "none"
        ? ""
        : ` (bot.pid was left by pid ${noted.pid}, which ended without cleaning up)`;
    around.out(`No bot is running for ${stateDir}${stale}.`);
    removePidFile(stateDir);
    return free;
  }
  if (noted.state !== "running") {
    around.err(
      `A process holds ${stateDir}, but bot.pid does not say which. If it is not another "signoff stop", end it yourself.`,
    );
    return "not stopped";
  }
  try {
    process.kill(noted.pid, "SIGTERM");
  } catch (error) {
    around.err(
      `The bot (pid ${noted.pid}) cannot be stopped: ${describeError(error)}. Run this as the bot's user.`,
    );
    return "not stopped";
  }
  return waitForLock(stateDir, noted.pid, around, times);
}

async function waitForLock(
  stateDir: string,
  pid: number,
  around: Surroundings,
  { limit, untilProgress, between }: StopTimes,
): Promise<Lock | "not stopped"> {
  const since = performance.now();
  let said = false;
  while (performance.now() - since < limit) {
    const lock = takeLock(stateDir);
    if (lock !== "taken") {
      around.out(`The bot (pid ${pid}) has stopped.`);
      return lock;
    }
    if (!said && performance.now() - since >= untilProgress) {
      around.out(`Waiting for the bot (pid ${pid}) to finish what it is doing …`);
      said = true;
    }
    await wait(between);
  }
  around.err(
    `The bot (pid ${pid}) has not stopped within ${limit / 1000} s. Try again, or end it with kill -9 ${pid}.`,
  );
  return "not stopped";
}

async function endProcesses(
  stateDir: string,
  around: Surroundings,
  loadShutdown: LoadShutdown,
): Promise<void> {
  const { endAllProcesses } = await loadShutdown();
  const count = await endAllProcesses({
    stateDir,
    log: createLog({ write: around.err, now: () => new Date() }),
  });
  around.out(count === 0 ? "No process of Claude's was running." : `Ended ${count} of Claude's processes.`);
}
