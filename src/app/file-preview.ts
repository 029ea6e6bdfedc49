import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { changedFile, type FileNow, LONGEST_FILE, previewChange } from "../claude/file-diff.ts";
import type { Ask } from "../core/agent-event.ts";
import type { FilePreview } from "../core/file-preview.ts";
import { resolveIn } from "./reach.ts";

/**
 * What a file change that Claude asks for would do to the file as it is at this moment. Nothing for any other tool, and
 * nothing when the file cannot be read: then the card shows what Claude sent, as it is.
 */
export function readPreview(ask: Pick<Ask, "tool" | "input">, project: string): FilePreview | undefined {
  const path = changedFile(ask.tool, ask.input);
  if (path === undefined) return undefined;
  try {
    return previewChange(ask.tool, ask.input, readNow(resolveIn(project, path)));
  } catch {
    return undefined;
  }
}

/** Reads a file, links followed, in one go; a fifo or a device is not waited for, and a huge file is not read at all. */
function readNow(path: string): FileNow {
  const file = open(path);
  if (file === undefined) return { kind: "absent" };
  try {
    const facts = fstatSync(file);
    const { size } = facts;
    if (!facts.isFile()) throw new Error(`${path} is no file`);
    if (size > LONGEST_FILE) return { kind: "huge", bytes: size };
    const bytes = Buffer.alloc(size);
    const read = readSync(file, bytes, 0, size, 0);
    return decoded(bytes.subarray(0, read));
  } finally {
    closeSync(file);
  }
}

function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function decoded(bytes: Uint8Array): FileNow {
  if (bytes.includes(0)) return { kind: "binary" };
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { kind: "binary" };
  }
}
