import { readFileSync } from "node:fs";
import { describeError } from "../core/describe-error.ts";
import { helpText, parseCommandLine } from "./command-line.ts";
import { ConfigError } from "./config-error.ts";
import type { LoadBot } from "./start-command.ts";
import type { LoadShutdown } from "./stop-command.ts";
import type { Surroundings } from "./surroundings.ts";

/** The heavy parts, loaded only by the command that needs them, so that `--help` answers at once. */
export type Parts = { loadBot: LoadBot; loadShutdown: LoadShutdown };

/** Does what the arguments ask for, and answers with the exit code: 0 done, 1 failed, 2 for the owner to put right. */
export async function runCommand(
  args: readonly string[],
  around: Surroundings,
  parts: Parts,
): Promise<number> {
  try {
    return await run(args, around, parts);
  } catch (error) {
    const lines = error instanceof ConfigError ? error.lines : [`Signoff failed: ${describeError(error)}`];
    for (const line of lines) around.err(line);
    return error instanceof ConfigError ? 2 : 1;
  }
}

async function run(args: readonly string[], around: Surroundings, parts: Parts): Promise<number> {
  const command = parseCommandLine(args);
  switch (command.kind) {
    case "start": {
      const { runStart } = await import("./start-command.ts");
      return runStart(command, around, parts.loadBot);
    }
    case "stop": {
      const { runStop } = await import("./stop-command.ts");
      return runStop(command, around, parts.loadShutdown);
    }
    case "audit": {
      const { runAudit } = await import("./audit-command.ts");
      return runAudit(command, around);
    }
    case "help":
      around.out(helpText.trimEnd());
      return 0;
    case "version":
      around.out(readVersion());
      return 0;
    case "wrong":
      around.err(command.line);
      return 2;
  }
}

function readVersion(): string {
  // Two folders up in src and in dist alike.
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}
