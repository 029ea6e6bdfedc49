import { constants } from "node:os";
import { type Config, loadConfig } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { type Lock, takeLock } from "./lock.ts";
import { createLog, type Log } from "./log.ts";
import { readPidFile, removePidFile, writePidFile } from "./pid-file.ts";
import { secretsOf } from "./secrets.ts";
import type { Surroundings } from "./surroundings.ts";

/** A bot at work; `stopped` comes true after `stop()`, or when the bot had to end by itself. */
export type RunningBot = { stop(): Promise<void>; stopped: Promise<{ exitCode: number }> };

/** How to get at the bot itself. */
export type LoadBot = () => Promise<{
  startBot: (input: { config: Config; log: Log; lock: Lock }) => Promise<RunningBot>;
}>;

/** `signoff start`: runs the bot in this process until a signal or the bot itself ends it. */
export async function runStart(
  { configPath }: { configPath?: string },
  around: Surroundings,
  loadBot: LoadBot,
): Promise<number> {
  const config = await loadConfig({
    ...around,
    ...(configPath === undefined ? {} : { argvPath: configPath }),
  });
  const log = createLog({ write: around.err, now: () => new Date() });
  log.redact(secretsOf(config, around.env));
  endOnCrash(log);

  const lock = takeLock(config.stateDir);
  if (lock === "taken") {
    const noted = await readPidFile(config.stateDir);
    const who = noted.state === "running" ? ` (pid ${noted.pid})` : "";
    throw new ConfigError([
      `state_dir "${config.stateDir}" is in use by another bot${who}. Stop that one with signoff stop, or name another folder.`,
    ]);
  }
  try {
    for (const warning of config.warnings) log.warn("config.warning", { warning });
    const start = async (): Promise<RunningBot> => {
      writePidFile(config.stateDir);
      const { startBot } = await loadBot();
      return startBot({ config, log, lock });
    };
    return await untilStopped(start, log);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Through the log, which alone knows every secret to hide.
    log.error("bot.failed", { error, at: framesOf(error) });
    return 1;
  } finally {
    // In this order: once the lock is free, the note may be the next bot's.
    removePidFile(config.stateDir);
    lock.release();
  }
}

async function untilStopped(start: () => Promise<RunningBot>, log: Log): Promise<number> {
  // Listening begins before the bot does: a signal that comes while it starts is kept until it can be stopped.
  const asked = stopAsked(log);
  const bot = await start();
  const { exitCode } = await Promise.race([
    bot.stopped,
    asked.then(async () => {
      await bot.stop();
      return bot.stopped;
    }),
  ]);
  return exitCode;
}

/** Comes true at the first signal to end; whoever sends a second one does not want to wait. */
function stopAsked(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: "SIGTERM" | "SIGINT"): void => {
      if (asked) {
        log.warn("bot.stop_cut_short", { signal });
        process.exit(128 + constants.signals[signal]);
      }
      asked = true;
      log.info("bot.stop_asked", { signal });
      resolve();
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });
}

/** Node's own report of an uncaught error dumps the object, and with it the bot's token; ours does not. */
function endOnCrash(log: Log): void {
  const crash = (error: unknown): void => {
    log.error("bot.crashed", { error, at: framesOf(error) });
    process.exit(1);
  };
  process.on("uncaughtException", crash).on("unhandledRejection", crash);
}

function framesOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? [];
  return frames
    .slice(0, 6)
    .map((frame) => frame.trim().slice("at ".length))
    .join(" < ");
}
