import { isAbsolute, relative, sep } from "node:path";
import { domainToUnicode } from "node:url";
import type { JsonObject } from "../core/agent-event.ts";
import type { FilePreview } from "../core/file-preview.ts";
import { isJsonObject } from "../core/json.ts";
import { maskSecrets } from "../core/mask.ts";
import { oneLine } from "../core/one-line.ts";
import type { ToolBody, ToolKind, ToolView } from "../core/view.ts";
import {
  agentBody,
  argumentsBody,
  asJson,
  bashBody,
  changeBody,
  editBody,
  multiEditBody,
  notebookBody,
  planBody,
  searchBody,
  webFetchBody,
  writeBody,
} from "./tool-body.ts";

/**
 * A tool use for the eye. Paths inside `project` are shown relative to it; an input that does not fit its tool is shown
 * as JSON. A title goes into lists, logs and progress, so secrets are hidden in it; the body is exact.
 */
export function toolView(
  tool: string,
  input: JsonObject,
  project: string,
  preview: FilePreview = { notes: [] },
): ToolView {
  const mcp = /^mcp__(.+?)__(.+)$/s.exec(tool);
  if (mcp) {
    const title = titled(`${mcp[1]} · ${mcp[2]}`);
    return { kind: "tool", name: "MCP", title, body: argumentsBody(input) };
  }
  const shape = SHAPES.get(tool);
  if (!shape)
    return { kind: "tool", name: tool, title: titled(firstText(input) ?? tool), body: [asJson(input)] };
  const { notes, change } = preview;
  const changed = change && changeBody(tool, input, change.diff);
  return {
    kind: shape.kind,
    name: tool,
    title: titled(shape.title(input, project) ?? tool),
    body: changed ?? shape.body?.(input) ?? [asJson(input)],
    ...(changed && change ? { change: { added: change.added, removed: change.removed } } : {}),
    ...(notes.length > 0 ? { notes } : {}),
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
  ["WebSearch", { kind: "web_search", title: field("query"), body: searchBody }],
  ["WebFetch", { kind: "web_search", title: host, body: webFetchBody }],
  ["TodoWrite", { kind: "note", title: () => "to-do list" }],
  ["TodoRead", { kind: "note", title: () => "to-do list" }],
  ["AskUserQuestion", { kind: "note", title: firstQuestion }],
  ["ExitPlanMode", { kind: "note", title: () => "plan", body: planBody }],
  ["Task", { kind: "tool", title: field("description"), body: agentBody }],
  ["Agent", { kind: "tool", title: field("description"), body: agentBody }],
]);

function firstQuestion(input: JsonObject): string | undefined {
  const questions = input["questions"];
  const first = Array.isArray(questions) ? questions[0] : undefined;
  return isJsonObject(first) && typeof first["question"] === "string" ? first["question"] : undefined;
}

function field(...names: string[]): Title {
  return (input) => names.map((name) => input[name]).find(isText);
}

/** Where a fetch really goes: the host, in the letters of the network, and beside them as they look. */
function host({ url }: JsonObject): string | undefined {
  if (!isText(url)) return undefined;
  if (!URL.canParse(url)) return url;
  const { host: written, hostname } = new URL(url);
  const looks = domainToUnicode(hostname);
  return looks === hostname ? written : `${written} (looks like ${looks})`;
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

function titled(text: string): string {
  return maskSecrets(oneLine(text)).text;
}

function firstText(input: JsonObject): string | undefined {
  return Object.values(input).find(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
