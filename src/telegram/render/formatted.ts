import type { MessageEntity } from "grammy/types";

/** A text with Telegram's entities: offsets and lengths in UTF-16 units, as Telegram counts them. */
export type FormattedText = { text: string; entities: MessageEntity[] };
