import type { MessageEntity } from "grammy/types";
import { isStyle } from "./entity-order.ts";
import { readEntities } from "./entity-reading.ts";
import { type FormattedText, fixFormattedText } from "./formatted-text.ts";
import { type Params, unreadable } from "./params.ts";
import { badRequest } from "./refusal.ts";
import { codePoints } from "./text-rules.ts";
import type { World } from "./world.ts";

/** Reads the text of a message to send or edit; `tooLong` is what Telegram says past 4096 characters. */
export function messageText(world: World, params: Params, tooLong: string): FormattedText {
  const formatted = fixFormattedText(params.text("text"), entitiesOf(world, params, "entities"));
  if (codePoints(formatted.text) > 4096) throw badRequest(tooLong);
  return storable(formatted);
}

/** Reads a caption; no caption is fine. */
export function captionText(world: World, params: Params): FormattedText {
  assertReadable(params, "caption");
  if (/^[\s\0]*$/.test(params.text("caption"))) return { text: "", entities: [] };
  const formatted = fixFormattedText(params.text("caption"), entitiesOf(world, params, "caption_entities"));
  if (codePoints(formatted.text) > 1024) throw badRequest("message caption is too long");
  return storable(formatted);
}

/** What is checked before anything else is looked at. */
export function assertText(params: Params): void {
  if (!params.has("text")) throw badRequest("message text is empty");
  assertReadable(params, "text");
}

function assertReadable(params: Params, name: string): void {
  if (Buffer.byteLength(params.text(name)) > 32_768) throw badRequest("text is too long");
  // The bot never sends markup (Claude's text is literal), so the simulator reads none and says so loudly.
  if (params.has("parse_mode") && params.text("parse_mode").toLowerCase() !== "none") {
    throw badRequest("unsupported parse_mode");
  }
}

function entitiesOf(world: World, params: Params, name: string): MessageEntity[] {
  const given = params.json(name);
  return given === unreadable ? [] : readEntities(given, (id) => world.users.get(id));
}

const MOST_ENTITIES = 100;
const MOST_ENTITY_BYTES = 9500;

/** Telegram's servers drop entities past the hundredth, styles first, and refuse too much weight in all. */
function storable({ text, entities }: FormattedText): FormattedText {
  const byImportance = [...entities.filter((entity) => !isStyle(entity)), ...entities.filter(isStyle)];
  const kept = new Set(byImportance.slice(0, MOST_ENTITIES));
  const left = entities.filter((entity) => kept.has(entity));
  const weight = left.reduce((sum, entity) => sum + weightOf(entity), 0);
  if (weight > MOST_ENTITY_BYTES) throw badRequest("ENTITIES_TOO_LONG");
  return { text, entities: left };
}

/** About the size on Telegram's wire: three numbers, and a link or a language if there is one. */
function weightOf(entity: MessageEntity): number {
  const extra =
    entity.type === "text_link" ? entity.url : entity.type === "pre" ? (entity.language ?? "") : "";
  return 12 + Buffer.byteLength(extra);
}
