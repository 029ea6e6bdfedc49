import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { JsonObject } from "../core/agent-event.ts";
import type { Reach } from "../core/policy.ts";

/** The fields in which Claude's tools name a file or a folder. */
const PATH_FIELDS = ["file_path", "notebook_path", "path"];

/** Where the paths of a tool's input really lead, links followed: a link inside the project may point anywhere. */
export function reachOf(input: JsonObject, project: string, own: readonly string[]): Reach {
  const paths = PATH_FIELDS.flatMap((field) => {
    const value = input[field];
    return typeof value === "string" && value !== "" ? [follow(resolve(project, value))] : [];
  });
  if (paths.some((path) => own.some((folder) => isWithin(path, follow(folder))))) return "own";
  return paths.every((path) => isWithin(path, follow(project))) ? "inside" : "outside";
}

/** The real path; of what does not exist yet, the real path of the folder it would be in. */
function follow(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(follow(parent), basename(path));
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
