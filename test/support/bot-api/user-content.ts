import type { Message, MessageEntity, User } from "grammy/types";
import type { Chat as ChatHandle } from "./chat-control.ts";
import { asDocument } from "./files.ts";
import { fixFormattedText } from "./formatted-text.ts";
import { quoted, seconds, type World } from "./world.ts";

/** What a person can add to a message. */
export type SendOptions = {
  topic?: number;
  replyTo?: { id: number };
  /** The message was written by this user and is passed on. */
  forwardedFrom?: User;
  /** The message was made through this inline bot. */
  viaBot?: User;
  /** The message is in the name of this chat: an anonymous administrator, or a linked channel. */
  senderChat?: Message["sender_chat"];
  /** The text becomes the caption. */
  media?: MediaKind | Media;
  /** Messages with the same mark are one album. */
  album?: string;
  entities?: MessageEntity[];
};

type Media = { kind: MediaKind; content?: Buffer | string; name?: string };
type MediaKind = "photo" | "document" | "voice" | "video" | "sticker";

/** The content of a person's message in the API's shape. */
export function userContent(
  world: World,
  chat: ChatHandle,
  from: User,
  text: string,
  options: SendOptions,
): Omit<Message, "message_id" | "date" | "chat"> {
  const { replyTo, forwardedFrom, viaBot, senderChat, album } = options;
  const target = replyTo === undefined ? undefined : chat.state.messages.get(replyTo.id);
  return {
    // Telegram puts a stand-in user where a chat speaks.
    from: senderChat === undefined ? from : senderStandIn(senderChat.id === chat.id),
    ...(senderChat !== undefined && { sender_chat: senderChat }),
    ...textOrMedia(world, text, options),
    ...(target !== undefined && { reply_to_message: quoted(target.shown) }),
    ...(forwardedFrom !== undefined && {
      forward_origin: { type: "user", sender_user: forwardedFrom, date: seconds(world) - 60 },
    }),
    ...(viaBot !== undefined && { via_bot: viaBot }),
    ...(album !== undefined && { media_group_id: album }),
  };
}

/** Finds the commands in a text; other things Telegram detects (links, mentions, hashtags) are left out. */
export function detectCommands(text: string): MessageEntity[] {
  return [...text.matchAll(/(?<![\w/<>])\/\w{1,64}(?:@\w{3,32})?(?![\w/<>])/g)].map((match) => ({
    type: "bot_command",
    offset: match.index,
    length: match[0].length,
  }));
}

/** How a chat that speaks shows: as the anonymous administrator of its own group, or as a channel. */
function senderStandIn(ownGroup: boolean): User {
  return ownGroup
    ? { id: 1_087_968_824, is_bot: true, first_name: "Group", username: "GroupAnonymousBot" }
    : { id: 136_817_688, is_bot: true, first_name: "Channel", username: "Channel_Bot" };
}

function textOrMedia(world: World, given: string, options: SendOptions): Partial<Message> {
  if (options.media === undefined) {
    const { text, entities } = fixFormattedText(given, options.entities ?? []);
    const all = [...entities, ...detectCommands(text)].toSorted((a, b) => a.offset - b.offset);
    return { text, ...(all.length > 0 && { entities: all }) };
  }
  const caption = given === "" ? undefined : fixFormattedText(given, options.entities ?? []);
  return {
    ...media(world, options.media),
    ...(caption !== undefined && { caption: caption.text }),
    ...(caption !== undefined && caption.entities.length > 0 && { caption_entities: caption.entities }),
  };
}

const NAMES: Readonly<Record<MediaKind, string>> = {
  photo: "photo.jpg",
  document: "notes.txt",
  voice: "voice.ogg",
  video: "video.mp4",
  sticker: "sticker.webp",
};

function media(world: World, given: NonNullable<SendOptions["media"]>): Partial<Message> {
  const { kind, content = "content", name }: Media = typeof given === "string" ? { kind: given } : given;
  const folder = kind === "photo" ? "photos" : kind === "voice" ? "voice" : "documents";
  const file = asDocument(
    world.files.add({ name: name ?? NAMES[kind], content: Buffer.from(content) }, folder),
  );
  const { file_id, file_unique_id, file_size = 0 } = file;
  const ids = { file_id, file_unique_id, file_size };
  const size = { width: 800, height: 600 };
  switch (kind) {
    case "photo":
      // Telegram keeps several sizes; the last is the largest.
      return {
        photo: [
          { ...ids, width: 90, height: 67 },
          { ...ids, ...size },
        ],
      };
    case "document":
      return { document: file };
    case "voice":
      return { voice: { ...ids, duration: 3, mime_type: "audio/ogg" } };
    case "video":
      return { video: { ...ids, ...size, duration: 3 } };
    case "sticker":
      return {
        sticker: {
          ...ids,
          type: "regular",
          width: 512,
          height: 512,
          is_animated: false,
          is_video: false,
        },
      };
  }
}
