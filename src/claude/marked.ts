import { readdir, readFile } from "node:fs/promises";
import { execa } from "execa";
import type { ProcessTable } from "./process-identity.ts";
import { ownTable } from "./process-identity.ts";
import { waitUntil } from "./wait-until.ts";

/**
 * What the environment of Claude, and of everything it starts, says of whose it is.
 * Marks are ids: without white space, because `ps` prints an environment as words.
 */
export type SessionMarks = { instance: string; session: string };

/** What the environment of a stdin writer says of whose it is: which bot's, and for which folder. */
export type StdinMarks = { instance: string; stdin: string };

/** A running process with our instance's mark. */
export type MarkedProcess = { pid: number; session?: string; stdin?: string };

/** The marks as environment variables. */
export function markEnv(marks: SessionMarks | StdinMarks): Record<string, string> {
  const env: Record<string, string> = { [names.instance]: marks.instance };
  if ("session" in marks) env[names.session] = marks.session;
  if ("stdin" in marks) env[names.stdin] = marks.stdin;
  return env;
}

/** Every running process of this user that carries the instance's mark, ourselves excepted; one scan for all marks. */
export async function scanMarked(instance: string, table: ProcessTable = ownTable): Promise<MarkedProcess[]> {
  const found = table === "proc" ? await scanProc(instance) : await scanPs(instance);
  return found.filter(({ pid }) => pid !== process.pid);
}

/**
 * Kills the instance's processes that match, and those they started meanwhile, until a scan finds none.
 * `left` is not empty only if the kernel holds some of them beyond the patience given.
 */
export async function killMarked(
  instance: string,
  matches: (found: MarkedProcess) => boolean,
  withinMs = 5_000,
): Promise<{ killed: number[]; left: number[] }> {
  const killed = new Set<number>();
  let left: number[] = [];
  await waitUntil(async () => {
    left = (await scanMarked(instance)).filter(matches).map(({ pid }) => pid);
    for (const pid of left) {
      killed.add(pid);
      sendSignal(pid, "SIGKILL");
    }
    return left.length === 0;
  }, withinMs);
  return { killed: [...killed], left };
}

/** Sends a signal to a process, or to a whole group by its negated pid; whether it had effect is for the caller to see. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already (ESRCH), or out of our reach because it changed its user (EPERM): neither is made better by a throw.
  }
}

const names = { instance: "SIGNOFF_INSTANCE", session: "SIGNOFF_SESSION", stdin: "SIGNOFF_STDIN" };

async function scanProc(instance: string): Promise<MarkedProcess[]> {
  const found: MarkedProcess[] = [];
  const mark = `${names.instance}=${instance}`;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const environ = await readEnviron(pid);
    if (environ?.includes(mark)) found.push(...fromVariables(Number(pid), environ.split("\0"), instance));
  }
  return found;
}

// Unreadable (another user's) and vanished processes are none of ours. A zombie's environment is empty: it is over.
// Any other failure, such as too many open files, must not pass for "not ours".
async function readEnviron(pid: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/environ`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

async function scanPs(instance: string): Promise<MarkedProcess[]> {
  const { stdout } = await execa("ps", ["axeww", "-o", "pid=,command="]);
  return parsePs(stdout, instance);
}

/** The marked processes in the output of `ps axeww -o pid=,command=`, where the environment follows the arguments. */
export function parsePs(output: string, instance: string): MarkedProcess[] {
  return output.split("\n").flatMap((line) => {
    const [pid, ...words] = line.trim().split(/\s+/);
    return fromVariables(Number(pid), words, instance);
  });
}

function fromVariables(pid: number, variables: string[], instance: string): MarkedProcess[] {
  if (!variables.includes(`${names.instance}=${instance}`)) return [];
  const session = valueOf(variables, names.session);
  const stdin = valueOf(variables, names.stdin);
  return [{ pid, ...(session !== undefined && { session }), ...(stdin !== undefined && { stdin }) }];
}

function valueOf(variables: string[], name: string): string | undefined {
  return variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
}
