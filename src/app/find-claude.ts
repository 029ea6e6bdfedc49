import { execa } from "execa";
import { describeError } from "../core/describe-error.ts";
import { ConfigError } from "./config-error.ts";
import { findProgram } from "./find-program.ts";

/**
 * The oldest Claude Code that Signoff talks to. The 2.1 line brought the control protocol in the form recorded for
 * Signoff (`--permission-prompt-tool stdio`, `end_session`, prompts run once by their uuid); 2.0 was never tried.
 */
const oldestClaude = "2.1.0";

const patience = 15_000;
const howToInstall = "Install Claude Code (npm install -g @anthropic-ai/claude-code) or give its full path.";

/** Claude Code as it was found; `version` is missing when it did not say, which `warning` then explains. */
export type FoundClaude = { command: [string, ...string[]]; version?: string; warning?: string };

/** Finds `claude.command` on the PATH that Claude itself will get, and makes sure that it is new enough. */
export async function findClaude(input: {
  command: readonly [string, ...string[]];
  /** The child's environment, not ours. */
  env: Readonly<Record<string, string | undefined>>;
  /** Longest wait for an answer to `--version`, in milliseconds. */
  patience?: number;
}): Promise<FoundClaude> {
  const [program, ...args] = input.command;
  const name = `claude.command "${input.command.join(" ")}"`;
  const path = await findProgram(program, input.env.PATH ?? "");
  if (path === undefined) {
    const where = program.includes("/") ? "is not a program that can be run" : "was not found on the PATH";
    throw new ConfigError(`${name} ${where}. ${howToInstall}`);
  }
  const command: FoundClaude["command"] = [path, ...args];
  const said = await askVersion(command, { env: input.env, patience: input.patience ?? patience });
  if (said.kind === "failed")
    throw new ConfigError(
      `${name} cannot be run: ${said.why}. Try "${command.join(" ")} --version" yourself.`,
    );
  if (said.kind === "silent") return { command, warning: `${name} did not tell its version: ${said.why}.` };
  if (isOlder(said.version, oldestClaude))
    throw new ConfigError(
      `${name} is version ${said.version}; Signoff needs ${oldestClaude} or newer. Update it (claude update).`,
    );
  return { command, version: said.version };
}

type VersionAnswer =
  | { kind: "version"; version: string }
  | { kind: "failed"; why: string }
  /** It runs, so a slow or unusual answer is no reason to refuse work. */
  | { kind: "silent"; why: string };

async function askVersion(
  [program, ...args]: FoundClaude["command"],
  { env, patience: timeout }: { env: Readonly<Record<string, string | undefined>>; patience: number },
): Promise<VersionAnswer> {
  const done = await execa(program, [...args, "--version"], {
    env,
    extendEnv: false,
    stdin: "ignore",
    timeout,
    killSignal: "SIGKILL",
    reject: false,
  });
  if (done.timedOut) return { kind: "silent", why: `no answer to --version within ${timeout / 1000} s` };
  if (done.failed) {
    const ending =
      done.exitCode === undefined ? describeError(done.cause ?? done) : `exit code ${done.exitCode}`;
    const complaint = done.stderr.trim().split("\n")[0] ?? "";
    return { kind: "failed", why: complaint === "" ? ending : `${ending}, ${describeError(complaint)}` };
  }
  const version = /\d+\.\d+\.\d+/.exec(done.stdout)?.[0];
  return version === undefined
    ? { kind: "silent", why: "its answer to --version holds none" }
    : { kind: "version", version };
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}
