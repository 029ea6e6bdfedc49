import type { Json, JsonObject } from "../core/agent-event.ts";
import { isJsonObject, jsonList } from "../core/json.ts";

/** What NotebookEdit makes of one cell: only its source is compared, for the file around it is JSON that nobody reads. */
export function changeCell(
  input: JsonObject,
  notebook: string | undefined,
): { before?: string; after?: string; notes: string[] } | undefined {
  const { new_source: source, cell_id: id, edit_mode: mode = "replace" } = input;
  if (typeof source !== "string" || (id !== undefined && typeof id !== "string")) return undefined;
  const cells = cellsIn(notebook);
  if (cells === undefined)
    return { notes: ["⚠️ Claude's edit will most likely fail: the file is no notebook"] };
  const cell = id === undefined ? undefined : findCell(cells, id);
  if (id !== undefined && cell === undefined)
    return { notes: [`⚠️ Claude's edit will most likely fail: there is no cell ${id}`] };
  if (mode === "insert") {
    const place = id === undefined ? "at the beginning" : `after ${id}`;
    return { ...(source === "" ? {} : { before: "", after: source }), notes: [`New cell ${place}`] };
  }
  if (cell === undefined) return undefined;
  const before = sourceOf(cell);
  return mode === "delete"
    ? { ...(before === "" ? {} : { before, after: "" }), notes: [`Deletes cell ${id}`] }
    : { before, after: source, notes: [`Cell ${id}`] };
}

function cellsIn(notebook: string | undefined): JsonObject[] | undefined {
  try {
    const read: Json = JSON.parse(notebook ?? "");
    return isJsonObject(read) ? jsonList(read["cells"]).filter(isJsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Cells without an id are called by their place: `cell-0`. */
function findCell(cells: JsonObject[], id: string): JsonObject | undefined {
  const place = /^cell-(\d+)$/.exec(id)?.[1];
  return cells.find((cell) => cell["id"] === id) ?? (place === undefined ? undefined : cells[Number(place)]);
}

/** A notebook keeps a text as one string, or as a list of lines. */
function sourceOf({ source }: JsonObject): string {
  if (typeof source === "string") return source;
  return jsonList(source)
    .filter((line) => typeof line === "string")
    .join("");
}
