import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { claudeCommand } from "./claude-home.ts";

/** One line to or from the CLI. */
export type Line = { direction: "in" | "out"; message: Message };
export type Message = Record<string, unknown>;

/** The real CLI on plain pipes, for tests that look at what it says and not at how we keep it. */
export type ClaudeProcess = {
  pid: number;
  /** Everything said so far, both ways, in order. */
  lines: Line[];
  stderr(): string;
  /** Writes one whole line, given as JSON or as a value. */
  send(line: string | Message): void;
  /** The first message the CLI says from line `from` on that fits; fails with all that was said if it ends before. */
  said(fits: (message: Message) => boolean, from?: number): Promise<Message>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or with the signal's name. */
  ended: Promise<number | string>;
};

/** Starts the CLI with these arguments. The caller ends it. */
export function startClaude(options: {
  args: string[];
  cwd: string;
  env: Record<string, string>;
}): ClaudeProcess {
  const child = spawn(claudeCommand(), options.args, { cwd: options.cwd, env: options.env });
  const lines: Line[] = [];
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  let stderr = "";
  let over = false;

  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // Writing to a CLI that has just ended is part of what the tests try.
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push({ direction: "out", message: JSON.parse(line) });
    changed();
  });
  const ended = once(child, "close").then(([code, signal]: (number | string)[]) => {
    over = true;
    changed();
    return code ?? signal ?? "unknown";
  });

  return {
    pid: child.pid ?? 0,
    lines,
    stderr: () => stderr,
    send(line) {
      const json = typeof line === "string" ? line : `${JSON.stringify(line)}\n`;
      lines.push({ direction: "in", message: JSON.parse(json) });
      child.stdin.write(json);
    },
    said: (fits, from = 0) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.slice(from).find((line) => line.direction === "out" && fits(line.message));
          if (!found && !over) return;
          listeners.delete(look);
          if (found) resolve(found.message);
          else
            reject(
              new Error(`claude ended without saying it\n${stderr}\n${JSON.stringify(lines.slice(from))}`),
            );
        };
        listeners.add(look);
        look();
      }),
    kill: (signal) => child.kill(signal),
    ended,
  };
}
