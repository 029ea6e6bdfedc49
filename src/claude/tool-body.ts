import type { Json, JsonObject } from "../core/agent-event.ts";
import { isJsonObject, jsonList } from "../core/json.ts";
import { maskSecrets } from "../core/mask.ts";
import { oneLine } from "../core/one-line.ts";
import type { ToolBody } from "../core/view.ts";

/** A command; its description stands elsewhere on the card. */
export function bashBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { command: { language: "bash" } }, "description");
}

/** The whole new text of a file. */
export function writeBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { content: {} }, "file_path");
}

/** What goes and what comes, without the file around it. */
export function editBody(input: JsonObject): ToolBody[] | undefined {
  if (typeof input["old_string"] !== "string" || typeof input["new_string"] !== "string") return undefined;
  const { old_string: before, new_string: after, ...rest } = input;
  return [
    { text: listing(before, after), language: "diff" },
    ...leftover(withoutDefaults(rest), ["file_path"]),
  ];
}

/** The same for several edits of one file. */
export function multiEditBody(input: JsonObject): ToolBody[] | undefined {
  const { edits, ...rest } = input;
  if (!Array.isArray(edits) || edits.length === 0) return undefined;
  const bodies: ToolBody[] = [];
  for (const [index, edit] of edits.entries()) {
    const body = isJsonObject(edit) ? editBody(edit) : undefined;
    // One edit that cannot be shown would hide a change: then all are shown as they came.
    if (!body) return undefined;
    bodies.push(...body.map((part, at) => (at === 0 ? { ...part, label: `Edit ${index + 1}` } : part)));
  }
  return [...bodies, ...leftover(rest, ["file_path"])];
}

/** The new text of a cell. */
export function notebookBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { new_source: { label: "New source" } }, "notebook_path");
}

/** The whole address, and what is to be found there. */
export function webFetchBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { url: { label: "URL" }, prompt: { label: "Prompt" } });
}

/** A search for the words that leave the machine. */
export function searchBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { query: {} });
}

/** Who is to work, and at what. */
export function agentBody(input: JsonObject): ToolBody[] | undefined {
  const type = typeof input["subagent_type"] === "string" ? { subagent_type: { label: "Agent" } } : {};
  return parts(input, { ...type, prompt: { label: "Prompt" } }, "description");
}

/** A plan in Markdown. */
export function planBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { plan: { language: "markdown" } });
}

/** A change of a file as a diff; nothing when the input says more than the diff does. */
export function changeBody(tool: string, input: JsonObject, diff: string): ToolBody[] | undefined {
  const told = IN_DIFF.get(tool) ?? [];
  const hasMore = jsonList(input["edits"]).some(
    (edit) => !isJsonObject(edit) || Object.keys(edit).some((name) => !IN_EDIT.includes(name)),
  );
  if (hasMore) return undefined;
  const rest = Object.entries(input).filter(([name]) => !told.includes(name));
  return [
    { text: diff, language: "diff" },
    ...leftover(Object.fromEntries(rest), ["file_path", "notebook_path"]),
  ];
}

const IN_EDIT = ["old_string", "new_string", "replace_all"];
/** What a diff, and the notes above it, tell of an input. */
const IN_DIFF = new Map([
  ["Write", ["content"]],
  ["Edit", IN_EDIT],
  ["MultiEdit", ["edits"]],
  ["NotebookEdit", ["new_source", "cell_id", "edit_mode"]],
]);

/** Arguments one to a line; a text of several lines stands by itself, so that no line of it can pose as an argument. */
export function argumentsBody(input: JsonObject): ToolBody[] {
  const short: string[] = [];
  const long: ToolBody[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === "string" && oneLine(value) !== value) long.push({ label: plain(name), text: value });
    else short.push(`${plain(name)}: ${plain(value)}`);
  }
  if (short.length === 0 && long.length === 0) return [asJson(input)];
  return [...(short.length > 0 ? [{ text: short.join("\n") }] : []), ...long];
}

function plain(value: Json): string {
  return typeof value === "string" && oneLine(value) === value ? value : JSON.stringify(value);
}

/** Shows these fields as parts, if all are texts. `told` are fields that stand elsewhere on the card; any other is shown as JSON. */
function parts(
  input: JsonObject,
  shown: Record<string, Omit<ToolBody, "text">>,
  ...told: string[]
): ToolBody[] | undefined {
  const bodies: ToolBody[] = [];
  for (const [name, look] of Object.entries(shown)) {
    const text = input[name];
    if (typeof text !== "string") return undefined;
    bodies.push({ ...look, text });
  }
  const rest = Object.entries(input).filter(([name]) => !(name in shown));
  return [...bodies, ...leftover(Object.fromEntries(rest), told)];
}

// Nothing of an input may be hidden from the person who allows it: `replace_all` or a timeout count too, and so does a
// path that the one line of the title cannot hold, or does not show.
function leftover(rest: JsonObject, told: string[]): ToolBody[] {
  const isWhole = (value: Json) => typeof value === "string" && maskSecrets(oneLine(value)).text === value;
  const untold = Object.entries(rest).filter(([name, value]) => !(told.includes(name) && isWhole(value)));
  return untold.length === 0 ? [] : [{ ...asJson(Object.fromEntries(untold)), label: "Also" }];
}

function listing(before: string, after: string): string {
  const marked = (mark: string, text: string) =>
    text === "" ? [] : text.split("\n").map((line) => `${mark}${line}`);
  return [...marked("-", before), ...marked("+", after)].join("\n");
}

/** An input as it came. */
export function asJson(input: JsonObject): ToolBody {
  return { text: JSON.stringify(input, undefined, 2), language: "json" };
}

/** Claude names what it leaves as it is. */
function withoutDefaults({ replace_all: all, ...rest }: JsonObject): JsonObject {
  return all === undefined || all === false ? rest : { ...rest, replace_all: all };
}
