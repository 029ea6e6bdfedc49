import { formatPatch, OMIT_HEADERS, structuredPatch } from "diff";
import type { Json, JsonObject } from "../core/agent-event.ts";
import type { FilePreview } from "../core/file-preview.ts";
import { isJsonObject, jsonList } from "../core/json.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { changeCell } from "./notebook.ts";

/** The file that a tool is about to change, as it is now. */
export type FileNow =
  | { kind: "text"; text: string }
  | { kind: "absent" }
  | { kind: "binary" }
  | { kind: "huge"; bytes: number };

/** The path of the file that a tool changes; nothing for a tool that changes none. */
export function changedFile(tool: string, input: JsonObject): string | undefined {
  const path = input[tool === "NotebookEdit" ? "notebook_path" : "file_path"];
  return TOOLS.has(tool) && typeof path === "string" && path !== "" ? path : undefined;
}

/** What a tool would do to a file; nothing for an input that does not fit its tool. */
export function previewChange(tool: string, input: JsonObject, now: FileNow): FilePreview | undefined {
  if (now.kind === "binary") return { notes: ["The file is not text: not compared"] };
  if (now.kind === "huge") return { notes: [`The file has ${megabytes(now.bytes)}: not compared`] };
  const before = now.kind === "text" ? now.text : undefined;
  const result = TOOLS.get(tool)?.(input, before);
  if (result === undefined) return undefined;
  const { notes } = result;
  if (result.after === undefined) return { notes };
  const from = result.before ?? before;
  if (from === undefined) return { notes: [newFile(result.after), ...notes] };
  const compared = compare(unix(from), unix(result.after));
  return typeof compared === "string" ? { notes: [...notes, compared] } : { change: compared, notes };
}

/** What a change makes of a text, if it can be made. `before` is given where only a part of the file is compared. */
type Result = { before?: string; after?: string; notes: string[] };

const TOOLS = new Map<string, (input: JsonObject, before: string | undefined) => Result | undefined>([
  ["Write", write],
  ["Edit", (input, before) => edit([input], before)],
  ["MultiEdit", (input, before) => edit(jsonList(input["edits"]), before)],
  ["NotebookEdit", changeCell],
]);

/** Lines around a change, as many as a phone has room for. */
const CONTEXT = 2;
/** Beyond it a comparison takes longer than a reader of it would. */
const MOST_CHANGES = 1_000;
/** What a row keeps of a diff; a longer one is not kept in part, for a part would hide the rest. */
const LONGEST_DIFF = 200_000;
/** No longer text is compared. */
export const LONGEST_FILE = 1_000_000;

function write({ content }: JsonObject, before = ""): Result | undefined {
  if (typeof content !== "string") return undefined;
  const losesLineEnds = before.includes("\r\n") && !content.includes("\r\n");
  return {
    after: content,
    notes: losesLineEnds ? ["The file has Windows line ends, the new text has not"] : [],
  };
}

function edit(given: Json[], before: string | undefined): Result | undefined {
  const edits = given.map(toEdit);
  if (edits.length === 0 || !edits.every((one) => one !== undefined)) return undefined;
  return applyEdits(before === undefined ? undefined : unix(before), edits);
}

function toEdit(given: Json): Edit | undefined {
  if (!isJsonObject(given)) return undefined;
  const { old_string: from, new_string: to, replace_all: all } = given;
  if (typeof from !== "string" || typeof to !== "string") return undefined;
  return { from: unix(from), to: unix(to), all: all === true };
}

/** The difference, or why there is none to show. */
function compare(before: string, after: string): NonNullable<FilePreview["change"]> | string {
  if (before === after) return "No line changes";
  if (after.length > LONGEST_FILE) return `The new text has ${megabytes(after.length)}: not compared`;
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MOST_CHANGES,
  });
  if (patch === undefined) return "Too different from the file to be compared";
  const diff = formatPatch(patch, OMIT_HEADERS).replace(/\n$/, "");
  const changed = patch.hunks.flatMap(({ lines }) => lines);
  const added = changed.filter((line) => line.startsWith("+")).length;
  const removed = changed.filter((line) => line.startsWith("-")).length;
  return diff.length > LONGEST_DIFF
    ? "The difference is too long to be kept: the input is shown as it came"
    : { added, removed, diff };
}

function newFile(text: string): string {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines === 0) return "New file, empty";
  return `New file, ${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Claude too reads and compares texts with these line ends. */
function unix(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
