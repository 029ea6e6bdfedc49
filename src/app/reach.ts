import { readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { JsonObject } from "../core/agent-event.ts";
import type { Reach } from "../core/policy.ts";

/** The fields in which Claude's tools name a file or a folder. */
const PATH_FIELDS = ["file_path", "notebook_path", "path"];

/** Where the paths of a tool's input really lead, links followed: a link inside the project may point anywhere. */
export function reachOf(input: JsonObject, project: string, own: readonly string[]): Reach {
  const paths = pathsIn(input).map((path) => follow(resolve(project, withoutTilde(path))));
  if (paths.some((path) => own.some((folder) => isWithin(path, follow(folder))))) return "own";
  return paths.every((path) => isWithin(path, follow(project))) ? "inside" : "outside";
}

function pathsIn(input: JsonObject): string[] {
  const named = PATH_FIELDS.map((field) => input[field]);
  const { pattern } = input;
  // A pattern is a path as well when it starts at the root or at home, or climbs out.
  const leads = typeof pattern === "string" && (isAbsolute(pattern) || /^~|(^|\/)\.\.(\/|$)/.test(pattern));
  return [...named, leads ? pattern : undefined].filter(
    (path): path is string => typeof path === "string" && path !== "",
  );
}

function withoutTilde(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

/** The real path; of what does not exist yet, where it would be made. A link to nowhere leads to where it points. */
function follow(path: string, hops = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || hops > MOST_HOPS) return path;
    const target = linkTarget(path);
    if (target !== undefined) return follow(resolve(parent, target), hops + 1);
    return join(follow(parent, hops + 1), basename(path));
  }
}

const MOST_HOPS = 100;

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
