import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The full path of a program: a name is looked up in the folders of `searchPath`, a path is taken as it is. */
export async function findProgram(program: string, searchPath: string): Promise<string | undefined> {
  const candidates = program.includes("/")
    ? [resolve(program)]
    : searchPath.split(":").flatMap((folder) => (folder === "" ? [] : [join(folder, program)]));
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate;
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
