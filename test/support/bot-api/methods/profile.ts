import type { BotCommand, MenuButton } from "grammy/types";
import { checkLink } from "../link-rules.ts";
import type { Call, MethodTable } from "../method.ts";
import { isRecord, type Params } from "../params.ts";
import { badRequest } from "../refusal.ts";
import { codePoints } from "../text-rules.ts";

/** What the bot says of itself: commands by scope and language, descriptions, the menu button. */
export const profile: MethodTable = {
  setMyCommands(call) {
    const given = call.params.json("commands");
    if (!Array.isArray(given)) throw badRequest("can't parse commands JSON object");
    if (given.length > 100) throw badRequest("BOT_COMMANDS_TOO_MUCH");
    call.world.profile.commands.set(scopeOf(call), given.map(readCommand));
    call.world.changed();
    return true;
  },

  getMyCommands: (call) => call.world.profile.commands.get(scopeOf(call)) ?? [],

  deleteMyCommands(call) {
    call.world.profile.commands.delete(scopeOf(call));
    call.world.changed();
    return true;
  },

  setMyDescription({ world, params }) {
    world.profile.descriptions.set(languageOf(params), limited(params.text("description"), 512));
    return true;
  },

  getMyDescription: ({ world, params }) => ({
    description: world.profile.descriptions.get(languageOf(params)) ?? "",
  }),

  setMyShortDescription({ world, params }) {
    world.profile.shortDescriptions.set(languageOf(params), limited(params.text("short_description"), 120));
    return true;
  },

  getMyShortDescription: ({ world, params }) => ({
    short_description: world.profile.shortDescriptions.get(languageOf(params)) ?? "",
  }),

  setChatMenuButton({ world, params }) {
    world.profile.menuButtons.set(params.integer("chat_id"), readMenuButton(params.json("menu_button")));
    return true;
  },

  getChatMenuButton({ world, params }): MenuButton {
    const buttons = world.profile.menuButtons;
    return buttons.get(params.integer("chat_id")) ?? buttons.get(0) ?? { type: "commands" };
  },
};

/** A key for scope and language; a chat's scope needs a chat the bot knows. */
function scopeOf({ world, params }: Call): string {
  const given = params.json("scope") ?? { type: "default" };
  if (!isRecord(given)) throw badRequest("object expected as bot command scope");
  const { type, chat_id: chat, user_id: user } = given;
  const language = languageOf(params);
  switch (type) {
    case "default":
    case "all_private_chats":
    case "all_group_chats":
    case "all_chat_administrators":
      return `${type} ${language}`;
    case "chat":
    case "chat_administrators":
    case "chat_member":
      if (!world.chats.has(Number(chat))) throw badRequest("chat not found");
      return `${type} ${Number(chat)} ${type === "chat_member" ? Number(user) : ""} ${language}`;
    default:
      throw badRequest("can't parse BotCommandScope: Unsupported type specified");
  }
}

function readCommand(given: unknown): BotCommand {
  if (!isRecord(given)) throw badRequest("can't parse BotCommand: expected an Object");
  const command = textField(given, "command").replace(/^\//, "");
  const description = textField(given, "description").trim();
  if (command === "") throw badRequest("command must be non-empty");
  if (codePoints(command) > 32) throw badRequest("command length must not exceed 32");
  if (!/^[a-z0-9_]+$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
  if (description === "") throw badRequest("command description must be non-empty");
  if (codePoints(description) > 256) throw badRequest("command description length must not exceed 256");
  return { command, description };
}

function readMenuButton(given: unknown): MenuButton {
  if (given === undefined) return { type: "default" };
  if (!isRecord(given)) throw badRequest("object expected as menu button");
  const { type } = given;
  if (type === "default" || type === "commands") return { type };
  if (type !== "web_app") throw badRequest("menu button has unsupported type");
  const url = isRecord(given["web_app"]) ? textField(given["web_app"], "url") : "";
  const checked = checkLink(url);
  if (!checked.ok || !checked.https) throw badRequest(`menu button Web App URL '${url}' is invalid`);
  return { type, text: textField(given, "text"), web_app: { url: checked.url } };
}

function textField(given: Record<string, unknown>, name: string): string {
  const value = given[name];
  return typeof value === "string" ? value : "";
}

function languageOf(params: Params): string {
  const code = params.text("language_code");
  if (code !== "" && !/^[a-z]{2}$/.test(code)) throw badRequest("invalid language code specified");
  return code;
}

function limited(text: string, most: number): string {
  if (codePoints(text) > most) throw badRequest(most === 512 ? "DESCRIPTION_TOO_LONG" : "ABOUT_TOO_LONG");
  return text;
}
