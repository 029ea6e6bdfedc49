import type { Message } from "grammy/types";

/** Names what a message brings besides text, in words that fit after "a" or "an"; undefined for a service message. */
export function nameMedia(message: Message): string | undefined {
  for (const [field, name] of mediaNames) {
    if (message[field] !== undefined) return name;
  }
  return undefined;
}

/** In order: an animation also counts as a document, and a venue as a location. */
const mediaNames: readonly (readonly [keyof Message, string])[] = [
  ["photo", "photo"],
  ["live_photo", "live photo"],
  ["voice", "voice message"],
  ["audio", "audio file"],
  ["video", "video"],
  ["video_note", "video message"],
  ["animation", "animation"],
  ["document", "file"],
  ["sticker", "sticker"],
  ["venue", "venue"],
  ["location", "location"],
  ["contact", "contact"],
  ["poll", "poll"],
  ["checklist", "checklist"],
  ["dice", "dice roll"],
  ["game", "game"],
  ["story", "story"],
  ["paid_media", "paid post"],
  ["rich_message", "rich message"],
  ["invoice", "invoice"],
];
