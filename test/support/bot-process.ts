import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Simulator } from "./bot-api/simulator.ts";

/** Where the program's surroundings come from. */
export type Surroundings = { configFile: string; env: Record<string, string> };

/** The bot, as a process of its own. */
export type BotProcess = {
  pid: number;
  /** All it wrote to stderr so far. */
  log(): string;
  /** kill -9: no chance to say goodbye. Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  terminate(): Promise<number | null>;
  exited: Promise<number | null>;
};

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Starts `signoff start`, and waits for nothing. */
export function launchBotProcess(around: Surroundings): BotProcess {
  const child = spawn(process.execPath, [main, "start", "--config", around.configFile], {
    env: around.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  return watch(child);
}

/** Starts `signoff start` and waits until it listens to Telegram. */
export async function startBotProcess(around: Surroundings, telegram: Simulator): Promise<BotProcess> {
  const bot = launchBotProcess(around);
  const gone = bot.exited.then((code) => {
    throw new Error(`The bot ended with ${code} before it was ready:\n${bot.log()}`);
  });
  await Promise.race([
    telegram.until(() => bot.log().includes("telegram.ready") && telegram.isPolling(), "the bot to be ready"),
    gone,
  ]);
  gone.catch(() => undefined);
  return bot;
}

/** Runs a `signoff` command to its end. */
export async function runSignoff(
  around: Surroundings,
  args: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [main, ...args, "--config", around.configFile], {
    env: around.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString("utf8");
  });
  const [code] = await once(child, "close");
  return { code: Number(code), out, err };
}

function watch(child: ChildProcess): BotProcess {
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString("utf8");
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => resolve(code));
  });
  return {
    pid: child.pid ?? 0,
    log: () => log,
    exited,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async terminate() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}
