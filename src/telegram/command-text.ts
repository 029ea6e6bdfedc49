import type { Message } from "grammy/types";
import { type CommandName, isCommandName } from "./commands.ts";

/** What a text's first word says, if it is a command. */
export type CommandText =
  | { kind: "ours"; name: CommandName; args: string }
  /** `/new@OtherBot`: said to someone else in the group. */
  | { kind: "other_bot" }
  /** A slash command that is Claude's, as `/compact`; `text` is what Claude is to read. */
  | { kind: "claude"; text: string }
  | { kind: "none" };

/** Reads the command a message begins with, by Telegram's own mark at its very start. */
export function readCommand(
  message: Pick<Message, "text" | "entities" | "forward_origin">,
  botUsername: string,
): CommandText {
  const text = message.text ?? "";
  if (message.forward_origin !== undefined) return { kind: "none" };
  const entity = message.entities?.find(({ type, offset }) => type === "bot_command" && offset === 0);
  const word = entity === undefined ? "" : text.slice(0, entity.length);
  const rest = text.slice(word.length);
  // Telegram marks only `/new` in `/new-feature`, which is a command of Claude's and not ours.
  const whole = rest === "" || /^\s/.test(rest);
  if (word === "" || !whole) return isSlashCommand(text) ? { kind: "claude", text } : { kind: "none" };

  const [command = "", addressee] = word.split("@");
  if (addressee !== undefined && addressee.toLowerCase() !== botUsername.toLowerCase())
    return { kind: "other_bot" };
  const name = command.slice(1).toLowerCase();
  return isCommandName(name)
    ? { kind: "ours", name, args: rest.trim() }
    : { kind: "claude", text: command + rest };
}

/** Tells whether Claude will take a text for a slash command: `/my-command` and `/plugin:command` are, the path `/usr/bin` is not. */
export function isSlashCommand(text: string): boolean {
  return /^\/[a-z][\w:-]*(?=\s|$)/i.test(text);
}
