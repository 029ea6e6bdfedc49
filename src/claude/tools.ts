import { isAbsolute, relative, sep } from "node:path";
import type { JsonObject } from "../core/agent-event.ts";
import type { ToolBody, ToolKind, ToolView } from "../core/view.ts";

/** A tool use for the eye. Paths inside `project` are shown relative to it; an input that does not fit its tool is shown as JSON. */
export function toolView(tool: string, input: JsonObject, project: string): ToolView {
  const mcp = /^mcp__(.+?)__(.+)$/s.exec(tool);
  if (mcp) {
    return { kind: "tool", name: "MCP", title: oneLine(`${mcp[1]} · ${mcp[2]}`), body: [asJson(input)] };
  }
  const shape = SHAPES.get(tool);
  if (!shape)
    return { kind: "tool", name: tool, title: oneLine(firstText(input) ?? tool), body: [asJson(input)] };
  const { kind, title, body } = shape;
  return {
    kind,
    name: tool,
    title: oneLine(title(input, project) ?? tool),
    body: body?.(input) ?? [asJson(input)],
  };
}

type Shape = {
  kind: ToolKind;
  title: Title;
  /** The exact input in parts, or nothing when it does not have the fields that it should have. */
  body?: (input: JsonObject) => ToolBody[] | undefined;
};
type Title = (input: JsonObject, project: string) => string | undefined;

const SHAPES = new Map<string, Shape>([
  ["Bash", { kind: "command", title: field("command"), body: bashBody }],
  ["KillShell", { kind: "command", title: field("shell_id", "task_id") }],
  ["Edit", { kind: "file_change", title: path("file_path"), body: editBody }],
  ["MultiEdit", { kind: "file_change", title: path("file_path"), body: multiEditBody }],
  ["Write", { kind: "file_change", title: path("file_path"), body: writeBody }],
  ["NotebookEdit", { kind: "file_change", title: path("notebook_path"), body: notebookBody }],
  ["Read", { kind: "tool", title: path("file_path") }],
  ["NotebookRead", { kind: "tool", title: path("notebook_path") }],
  ["LS", { kind: "tool", title: path("path") }],
  ["Glob", { kind: "tool", title: field("pattern") }],
  ["Grep", { kind: "tool", title: field("pattern") }],
  ["WebSearch", { kind: "web_search", title: field("query") }],
  ["WebFetch", { kind: "web_search", title: field("url"), body: webFetchBody }],
  ["TodoWrite", { kind: "note", title: () => "to-do list" }],
  ["TodoRead", { kind: "note", title: () => "to-do list" }],
  ["AskUserQuestion", { kind: "note", title: firstQuestion }],
  ["ExitPlanMode", { kind: "note", title: () => "plan", body: planBody }],
  ["Task", { kind: "tool", title: field("description"), body: agentBody }],
  ["Agent", { kind: "tool", title: field("description"), body: agentBody }],
]);

function bashBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { command: { language: "bash" } }, "description");
}

function writeBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { content: {} }, "file_path");
}

function editBody(input: JsonObject): ToolBody[] | undefined {
  if (typeof input["old_string"] !== "string" || typeof input["new_string"] !== "string") return undefined;
  const { old_string: before, new_string: after, ...rest } = input;
  return [{ text: listing(before, after), language: "diff" }, ...leftover(rest, ["file_path"])];
}

function multiEditBody(input: JsonObject): ToolBody[] | undefined {
  const { edits, ...rest } = input;
  if (!Array.isArray(edits) || edits.length === 0) return undefined;
  const bodies: ToolBody[] = [];
  for (const [index, edit] of edits.entries()) {
    const body = isObject(edit) ? editBody(edit) : undefined;
    // One edit that cannot be shown would hide a change: then all are shown as they came.
    if (!body) return undefined;
    bodies.push(...body.map((part, at) => (at === 0 ? { ...part, label: `Edit ${index + 1}` } : part)));
  }
  return [...bodies, ...leftover(rest, ["file_path"])];
}

function notebookBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { new_source: { label: "New source" } }, "notebook_path");
}

function webFetchBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { url: { label: "URL" }, prompt: { label: "Prompt" } });
}

function agentBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { prompt: { label: "Prompt" } }, "description");
}

function planBody(input: JsonObject): ToolBody[] | undefined {
  return parts(input, { plan: { language: "markdown" } });
}

function firstQuestion(input: JsonObject): string | undefined {
  const questions = input["questions"];
  const first = Array.isArray(questions) ? questions[0] : undefined;
  return isObject(first) && typeof first["question"] === "string" ? first["question"] : undefined;
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
// path that the one line of the title cannot hold.
function leftover(rest: JsonObject, told: string[]): ToolBody[] {
  const untold = Object.entries(rest).filter(
    ([name, value]) => !(told.includes(name) && typeof value === "string" && oneLine(value) === value),
  );
  return untold.length === 0 ? [] : [{ ...asJson(Object.fromEntries(untold)), label: "Also" }];
}

function listing(before: string, after: string): string {
  const marked = (mark: string, text: string) =>
    text === "" ? [] : text.split("\n").map((line) => `${mark}${line}`);
  return [...marked("-", before), ...marked("+", after)].join("\n");
}

function asJson(input: JsonObject): ToolBody {
  return { text: JSON.stringify(input, undefined, 2), language: "json" };
}

function field(...names: string[]): Title {
  return (input) => names.map((name) => input[name]).find(isText);
}

function path(name: string): Title {
  return (input, project) => {
    const file = input[name];
    return isText(file) ? shownPath(file, project) : undefined;
  };
}

function shownPath(file: string, project: string): string {
  if (!isAbsolute(file)) return file;
  const inside = relative(project, file);
  const outside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`);
  return outside ? file : inside;
}

function firstText(input: JsonObject): string | undefined {
  return Object.values(input).find(isText);
}

function oneLine(text: string): string {
  const [first = "", ...more] = text.trim().split(/[\r\n\u2028\u2029]+/);
  return more.length > 0 ? `${first} …` : first;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
