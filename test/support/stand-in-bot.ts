import { homedir } from "node:os";
import { ConfigError } from "../../src/app/config-error.ts";
import { runCommand } from "../../src/app/run-command.ts";
import type { RunningBot } from "../../src/app/start-command.ts";

// The `signoff` command around a bot without Telegram and Claude, whose temper the test chooses.

const temper = process.env.TEMPER ?? "obedient";

const exitCode = await runCommand(
  process.argv.slice(2),
  {
    env: process.env,
    cwd: process.cwd(),
    homedir: homedir(),
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  },
  {
    loadBot: async () => ({
      startBot: async ({ config, log }) => {
        // Held like an HTTP client holds it: beside the message, and in it.
        const leaky = Object.assign(new Error(`no way to /bot${config.telegram.token}/getMe`), { config });
        if (temper === "misconfigured") throw new ConfigError("claude.command is not there. Install it.");
        if (temper === "failing") throw leaky;
        if (temper === "throwing")
          setImmediate(() => {
            throw leaky;
          });
        // Nobody's promise, on purpose.
        if (temper === "rejecting") void Promise.reject(leaky);
        const bot = standIn();
        log.info("stand_in.ready");
        return bot;
      },
    }),
    loadShutdown: async () => ({ endAllProcesses: async () => 2 }),
  },
);
process.exit(exitCode);

function standIn(): RunningBot {
  const alive = setInterval(() => {}, 1000);
  let settle: (end: { exitCode: number }) => void = () => {};
  const stopped = new Promise<{ exitCode: number }>((resolve) => {
    settle = resolve;
  });
  if (temper === "weary") settle({ exitCode: 3 });
  return {
    stopped,
    stop: async () => {
      if (temper === "stubborn") return new Promise(() => {});
      clearInterval(alive);
      settle({ exitCode: 0 });
    },
  };
}
