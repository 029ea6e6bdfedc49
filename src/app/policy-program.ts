import { execa } from "execa";
import { z } from "zod";
import { sendSignal } from "../claude/marked.ts";
import type { JsonObject } from "../core/agent-event.ts";
import { describeError } from "../core/describe-error.ts";

/** What the owner's program says about a request. */
export type ProgramAnswer = z.infer<typeof programAnswer>;

const programAnswer = z.object({
  decision: z.enum(["allow", "deny", "ask"]),
  reason: z.string().exactOptional(),
});

/** How it went; `stopped` when we were told to stop before it had answered. */
export type ProgramRun =
  | { kind: "answered"; answer: ProgramAnswer }
  | { kind: "failed"; why: string }
  | { kind: "stopped" };

/** One run of the program. */
export type ProgramCall = {
  command: readonly [string, ...string[]];
  question: JsonObject;
  cwd: string;
  /** The whole environment: nothing of the bot's own gets in. */
  env: Readonly<Record<string, string>>;
  seconds: number;
  signal: AbortSignal;
};

/** An answer is a line. Whatever writes more than this writes something else. */
const LONGEST_ANSWER = 64 * 1024;

/** Hands the program one JSON object and reads one back. It never throws, and never takes longer than it may. */
export async function askProgram(call: ProgramCall): Promise<ProgramRun> {
  const [program, ...args] = call.command;
  const child = execa(program, args, {
    input: `${JSON.stringify(call.question)}\n`,
    cwd: call.cwd,
    env: call.env,
    extendEnv: false,
    maxBuffer: LONGEST_ANSWER,
    reject: false,
    // A group of its own, so that it can be ended together with all that it started.
    detached: true,
  });
  const cut = cutOff(call);
  let isOver = false;
  try {
    // Not the end of the child alone: something that it started may hold its output open for ever.
    const done = await Promise.race([child, cut.off]);
    if (done === "stopped") return { kind: "stopped" };
    if (done === "too slow") return { kind: "failed", why: `it took longer than ${call.seconds} s` };
    isOver = !done.isTerminated;
    return readRun(done);
  } finally {
    cut.cancel();
    if (!isOver && child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
  }
}

function cutOff({ seconds, signal }: ProgramCall): {
  off: Promise<"stopped" | "too slow">;
  cancel: () => void;
} {
  let cancel = (): void => {};
  const off = new Promise<"stopped" | "too slow">((resolve) => {
    const stop = (): void => resolve("stopped");
    const timer = setTimeout(() => resolve("too slow"), seconds * 1000);
    cancel = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
  return { off, cancel };
}

type Done = {
  failed: boolean;
  isMaxBuffer: boolean;
  exitCode?: number;
  signal?: string;
  cause?: unknown;
  stdout: string;
  stderr: string;
};

function readRun(done: Done): ProgramRun {
  if (done.isMaxBuffer) return { kind: "failed", why: "it wrote more than 64 KB" };
  if (done.failed) return { kind: "failed", why: `${howItEnded(done)}${complaint(done.stderr)}` };
  const read = programAnswer.safeParse(parseJson(done.stdout));
  return read.success
    ? { kind: "answered", answer: read.data }
    : { kind: "failed", why: 'it did not print one JSON object with a "decision" of allow, deny or ask' };
}

function howItEnded({ exitCode, signal, cause }: Done): string {
  if (exitCode !== undefined) return `it ended with exit code ${exitCode}`;
  return signal === undefined ? `it cannot be run: ${describeError(cause)}` : `it was ended by ${signal}`;
}

function complaint(stderr: string): string {
  const last = stderr.trim().split("\n").at(-1) ?? "";
  return last === "" ? "" : `: ${last.slice(0, 200)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
