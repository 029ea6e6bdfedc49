import { readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { JsonObject } from "../core/agent-event.ts";
import type { NamedPath } from "../core/own-rules.ts";
import type { Reach } from "../core/policy.ts";

/** The fields in which Claude's tools name a file or a folder. */
const PATH_FIELDS = ["file_path", "notebook_path", "path"];

/** What a tool's input names on the disk. */
export type Sight = {
  /** Where its paths really lead, links followed: a link inside the project may point anywhere. */
  reach: Reach;
  paths: NamedPath[];
  /** The project's folder, links followed as well. */
  project: string;
};

/** Looks where the paths of a tool's input lead; `blockedPath` is one that Claude itself names beside them. */
export function lookAt(
  given: { input: JsonObject; blockedPath?: string },
  project: string,
  own: readonly string[],
): Sight {
  const { input, blockedPath } = given;
  const named = [...pathsIn(input), ...(blockedPath ? [blockedPath] : [])];
  const paths = named.map((path) => {
    const written = resolveIn(project, path);
    return { written, real: follow(written) };
  });
  const home = follow(project);
  return { reach: reachOf(paths, home, own), paths, project: home };
}

function reachOf(paths: readonly NamedPath[], project: string, own: readonly string[]): Reach {
  if (paths.some(({ real }) => own.some((folder) => isWithin(real, follow(folder))))) return "own";
  return paths.every(({ real }) => isWithin(real, project)) ? "inside" : "outside";
}

/** A path of Claude's as an absolute one, links not followed. */
export function resolveIn(project: string, path: string): string {
  return resolve(project, withoutTilde(path));
}

function pathsIn(input: JsonObject): string[] {
  const named = PATH_FIELDS.map((field) => input[field]);
  const { pattern } = input;
  return [...named, typeof pattern === "string" ? pathOfPattern(pattern) : undefined].filter(
    (path): path is string => typeof path === "string" && path !== "",
  );
}

/** A pattern is a path as well when it starts at the root or at home. One that climbs may lead anywhere. */
function pathOfPattern(pattern: string): string | undefined {
  if (/(^|\/)\.\.(\/|$)/.test(pattern)) return "/";
  return isAbsolute(pattern) || pattern.startsWith("~") ? pattern : undefined;
}

function withoutTilde(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

/** The real path; of what does not exist yet, where it would be made. A link to nowhere leads to where it points. */
export function follow(path: string, hops = 0): string {
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
