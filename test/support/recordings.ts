import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const folder = new URL("../recordings/", import.meta.url);

/** The names of all recordings of the real CLI. */
export function recordingNames(): string[] {
  return readdirSync(folder)
    .map((file) => basename(file, ".jsonl"))
    .sort();
}

/** The lines that the CLI wrote in one recording, as it wrote them. */
export function recordedLines(name: string): string[] {
  return readFileSync(new URL(`${name}.jsonl`, folder), "utf8")
    .trimEnd()
    .split("\n")
    .map((line): { direction: string; message: unknown } => JSON.parse(line))
    .filter(({ direction }) => direction === "out")
    .map(({ message }) => JSON.stringify(message));
}
