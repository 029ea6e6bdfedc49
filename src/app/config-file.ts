import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { describeError, errorCode } from "../core/describe-error.ts";
import { ConfigError } from "./config-error.ts";

/** Where a configuration may come from; all of it is handed in, so that a test needs no real home. */
export type ConfigSources = {
  /** The value of `--config`. */
  argvPath?: string;
  env: NodeJS.ProcessEnv;
  cwd: string;
  homedir: string;
};

/** A configuration file as it was found: parsed, not yet checked. */
export type ConfigFile = {
  path: string;
  table: unknown;
  /** True when people other than the owner may read the file. */
  readableByOthers: boolean;
};

/** Finds the configuration by its search order and parses it as TOML. */
export async function readConfigFile(sources: ConfigSources): Promise<ConfigFile> {
  const named = namedFile(sources);
  if (named !== undefined) {
    const found = await readText(named.path, named.by);
    if (found === undefined)
      throw new ConfigError(`${named.by} ${named.path}: no such file. Correct the path, or create the file.`);
    return { path: named.path, table: parseToml(found.text, named.path), readableByOthers: found.byOthers };
  }
  const usual = usualFiles(sources);
  for (const path of usual) {
    const found = await readText(path, "The configuration");
    if (found) return { path, table: parseToml(found.text, path), readableByOthers: found.byOthers };
  }
  throw new ConfigError(
    `No configuration was found at ${usual.join(" or ")}. Copy config.example.toml there, or name a file with --config FILE.`,
  );
}

/** Makes the paths in a configuration absolute: relative ones start at the folder of the file itself. */
export function pathsIn(file: ConfigFile, homedir: string): (path: string) => string {
  return (path) => expandPath(path, { homedir, base: dirname(file.path) });
}

/** An XDG base folder; the specification says that a relative value is to be ignored. */
export function xdgFolder(value: string | undefined, otherwise: string): string {
  return value !== undefined && isAbsolute(value) ? value : otherwise;
}

/** True when the mode bits let the group or everyone read. */
export function othersMayRead(mode: number): boolean {
  return (mode & 0o044) !== 0;
}

function namedFile({ argvPath, env, cwd, homedir }: ConfigSources): { path: string; by: string } | undefined {
  if (argvPath !== undefined) return { path: expandPath(argvPath, { homedir, base: cwd }), by: "--config" };
  // An empty variable counts as unset, as everywhere in a shell.
  if (env.SIGNOFF_CONFIG)
    return { path: expandPath(env.SIGNOFF_CONFIG, { homedir, base: cwd }), by: "SIGNOFF_CONFIG" };
  return undefined;
}

function usualFiles({ env, cwd, homedir }: ConfigSources): string[] {
  const configHome = xdgFolder(env.XDG_CONFIG_HOME, join(homedir, ".config"));
  return [join(cwd, "signoff.toml"), join(configHome, "signoff", "signoff.toml")];
}

async function readText(path: string, by: string): Promise<{ text: string; byOthers: boolean } | undefined> {
  try {
    const text = await readFile(path, "utf8");
    return { text, byOthers: othersMayRead((await stat(path)).mode) };
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "EISDIR")
      throw new ConfigError(
        `${by} ${path} is a folder. Name the file in it, as ${join(path, "signoff.toml")}.`,
      );
    throw new ConfigError(
      `${by} ${path} cannot be read (${describeError(cause)}). Let the user who runs Signoff read it.`,
      { cause },
    );
  }
}

function parseToml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // Only the first line: the rest quotes the file, and the broken line may be the one with the token.
    const reason = (cause.message.split("\n")[0] ?? "").replace("Invalid TOML document: ", "");
    throw new ConfigError(
      `${path}:${cause.line}:${cause.column}: not valid TOML: ${reason}. Correct this line; text needs quotes, lists need brackets.`,
    );
  }
}

/** An absolute path: `~` is the home folder, and a relative path starts at `base`. */
function expandPath(path: string, from: { homedir: string; base: string }): string {
  if (path === "~" || path.startsWith("~/")) return join(from.homedir, path.slice(1));
  return resolve(from.base, path);
}
