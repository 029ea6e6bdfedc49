import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SessionMarks } from "./marked.ts";
import { markEnv, sendSignal } from "./marked.ts";
import { createFolder } from "./process-folder.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { identify } from "./process-identity.ts";

/** One start of Claude: where its logs go, what runs, where, with what environment. */
export type Launch = {
  /** The process's own folder; made here, and never one that was used before. */
  folder: string;
  /** The program and its arguments, handed over as they are. */
  argv: readonly string[];
  cwd: string;
  /** The whole environment, apart from the marks: nothing of the bot's own gets in. */
  env: Readonly<Record<string, string>>;
  marks: SessionMarks;
};

/** The started wrapper (leader of its process group), or why nothing was started. */
export type Launched =
  | ({ ok: true } & ProcessIdentity)
  | { ok: false; why: "folder_in_use" | "cwd_unusable" | "not_started"; message: string };

/**
 * Starts a process that outlives us, fed from in.jsonl, in a session and process group of its own.
 * A program that cannot be run is a process that ended: exit record 127 (not found) or 126, the shell's words in err.log.
 */
export async function launchProcess({ folder, argv, cwd, env, marks }: Launch): Promise<Launched> {
  // Asked first: a spawn in a bad directory fails with the same ENOENT as a missing program.
  const unusable = await whyUnusable(cwd);
  if (unusable !== undefined) {
    return { ok: false, why: "cwd_unusable", message: `Cannot work in ${cwd}: ${unusable}` };
  }
  try {
    if (!(await createFolder(folder))) {
      return { ok: false, why: "folder_in_use", message: `${folder} already holds a process's files` };
    }
    const wrapper = spawnWrapper({ folder, argv, cwd, env: { ...env, ...markEnv(marks) } });
    if (wrapper.pid === undefined) throw (await once(wrapper, "error"))[0];
    const identity = identify(wrapper.pid);
    if (identity === undefined) {
      sendSignal(-wrapper.pid, "SIGKILL");
      throw new Error("its start time cannot be read");
    }
    wrapper.unref();
    return { ok: true, ...identity };
  } catch (error) {
    return { ok: false, why: "not_started", message: `Cannot start a process: ${messageOf(error)}` };
  }
}

// Node's own spawn, because execa lets no descriptor above 2 be set to another.
function spawnWrapper({ folder, argv, cwd, env }: Omit<Launch, "marks">): ChildProcess {
  const nothing = openSync("/dev/null", "r+");
  try {
    return spawn("/bin/sh", ["-c", wrapperScript, resolve(folder), ...argv], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "ignore", "ignore", ...coverInherited(nothing)],
    });
  } finally {
    closeSync(nothing);
  }
}

// The folder is $0 and Claude's command line "$@": no variable is set that Claude's environment might hold as well.
// - `tail` stands between the log and Claude because the CLI refuses a terminal on stdin.
// - The traps keep both shells alive through a SIGTERM to the group, so that Claude's own end is still recorded.
//   They are handlers, not "ignore": what the shells start gets the default action back. A subshell loses its
//   parent's traps, hence twice.
// - `command -p` finds tail and mv whatever PATH Claude is given; umask comes after Claude, whose files keep theirs.
// - The record is moved into place, so whoever sees it sees it whole; then the group is told to go, tail first of all.
const wrapperScript = `
trap : HUP INT TERM
command -p tail -n +1 -f "$0/in.jsonl" | {
  trap : HUP INT TERM
  "$@" >>"$0/out.jsonl" 2>>"$0/err.log"
  code=$?
  umask 077
  echo "$code" >"$0/exit.part" && command -p mv "$0/exit.part" "$0/exit"
  kill -TERM 0
}
`;

async function whyUnusable(cwd: string): Promise<string | undefined> {
  try {
    if (!(await stat(cwd)).isDirectory()) return "it is not a folder";
    await access(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// node-pty does not mark its PTY masters close-on-exec. A Claude that inherited one would keep the PTY of another
// session open beyond our death, so every descriptor that would be inherited is covered with /dev/null. Only Linux
// needs this: elsewhere Node itself closes them.
function coverInherited(nothing: number): ("ignore" | number)[] {
  const inherited = inheritedDescriptors();
  return Array.from({ length: Math.max(2, ...inherited) - 2 }, (_, index) =>
    inherited.includes(index + 3) ? nothing : "ignore",
  );
}

const closeOnExec = 0o2000000;

function inheritedDescriptors(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => fd > 2 && (descriptorFlags(fd) & closeOnExec) === 0);
}

function descriptorFlags(fd: number): number {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    return Number.parseInt(flags ?? "", 8);
  } catch {
    // Gone since it was listed (the listing's own descriptor is one such): nothing to inherit.
    return closeOnExec;
  }
}
