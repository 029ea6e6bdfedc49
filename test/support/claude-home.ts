import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The Claude CLI the tests run: the pinned one, or the one named by SIGNOFF_TEST_CLAUDE. */
export function claudeCommand(): string {
  return (
    process.env["SIGNOFF_TEST_CLAUDE"] ??
    fileURLToPath(new URL("../../node_modules/.bin/claude", import.meta.url))
  );
}

/** A home folder that nobody misses, and the environment that keeps the CLI inside this machine. */
export type ThrowAwayHome = {
  home: string;
  env(model: { url: string }): Record<string, string>;
  cleanup(): Promise<void>;
};

/** Makes an empty home for the CLI under the system's folder for temporary files. */
export async function throwAwayHome(): Promise<ThrowAwayHome> {
  const home = await mkdtemp(join(tmpdir(), "signoff-home-"));
  return {
    home,
    env: (model) => ({
      HOME: home,
      PATH: process.env["PATH"] ?? "",
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    }),
    // A CLI that has just been ended may still be writing its last lines.
    cleanup: () => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
