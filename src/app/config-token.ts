import { readFile, stat } from "node:fs/promises";
import { describeError, errorCode } from "../core/describe-error.ts";
import { othersMayRead } from "./config-file.ts";

/** Where the bot's token may be given. */
export type TokenSources = {
  env: NodeJS.ProcessEnv;
  token: string | undefined;
  /** The path of `token_file`, expanded. */
  tokenFile: string | undefined;
};

/** The token, or the sentence that says why there is none; the sentence never holds what was found instead. */
export type FoundToken = { token: string; warnings: string[] } | { problem: string };

/** Takes the token from the environment, else from the configuration, else from its own file. */
export async function findToken({ env, token, tokenFile }: TokenSources): Promise<FoundToken> {
  if (env.TELEGRAM_BOT_TOKEN)
    return checked(
      env.TELEGRAM_BOT_TOKEN.trim(),
      "telegram.token, as TELEGRAM_BOT_TOKEN in the environment gives it,",
    );
  if (token !== undefined) return checked(token.trim(), "telegram.token");
  if (tokenFile !== undefined) return fromFile(tokenFile);
  return {
    problem:
      "telegram.token is missing. Get one from @BotFather and set token, token_file, or TELEGRAM_BOT_TOKEN in the environment.",
  };
}

async function fromFile(path: string): Promise<FoundToken> {
  const key = `telegram.token_file "${path}"`;
  try {
    const text = await readFile(path, "utf8");
    const found = checked(text.trim(), `${key}: its content`);
    if ("token" in found && othersMayRead((await stat(path)).mode))
      found.warnings.push(`${key} can be read by other users of this machine. Run chmod 600 on it.`);
    return found;
  } catch (cause) {
    if (errorCode(cause) === "ENOENT")
      return { problem: `${key} is not there. Create it, or correct the path.` };
    return {
      problem: `${key} cannot be read (${describeError(cause)}). Name a file that the bot's user can read.`,
    };
  }
}

function checked(token: string, key: string): FoundToken {
  // No stricter than this: the length of the second half is Telegram's own affair, and a test server's tokens are short.
  if (/^\d+:[\w-]+$/.test(token)) return { token, warnings: [] };
  return {
    problem: `${key} does not look like a bot token (digits, a colon, letters: 123456:ABC…). Copy it again from @BotFather.`,
  };
}
