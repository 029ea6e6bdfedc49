import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from "node:fs";
import { describeError } from "../core/describe-error.ts";
import { ConfigError } from "./config-error.ts";

/** Makes sure that the state folder is there, ours, writable, and closed to others. */
export function prepareStateDir(stateDir: string): void {
  const key = `state_dir "${stateDir}"`;
  const another = "Name another folder in state_dir";
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new ConfigError(`${key} cannot be created (${describeError(cause)}). ${another}.`, { cause });
  }
  const { uid, mode } = statSync(stateDir);
  const me = process.getuid?.() ?? uid;
  // Root may use anyone's folder: in a container the mounted one belongs to the user outside.
  if (uid !== me && me !== 0) throw new ConfigError(`${key} belongs to another user. ${another}.`);
  try {
    accessSync(stateDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new ConfigError(
      `${key} cannot be written (${describeError(cause)}). ${another}, or run chmod 700 on it.`,
      {
        cause,
      },
    );
  }
  if ((mode & 0o077) !== 0 && isOurs(stateDir)) chmodSync(stateDir, 0o700);
}

/** A folder that already holds other things, a home folder by mistake, is not ours to close. */
function isOurs(stateDir: string): boolean {
  const entries = readdirSync(stateDir);
  return entries.length === 0 || entries.includes("bot.lock");
}
