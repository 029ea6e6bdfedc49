import type { MessageEntity, ReactionTypeEmoji } from "grammy/types";
import { z } from "zod";

/** An entity as the renderer made it; Telegram judges the rest of it. */
const entity = z.custom<MessageEntity>(
  (value) =>
    z.looseObject({ type: z.string(), offset: z.number(), length: z.number() }).safeParse(value).success,
);
const formatted = { text: z.string(), entities: z.array(entity) };
const delivery = {
  /** Without a sound. */
  silent: z.boolean().exactOptional(),
  /** The id of the message it answers. */
  replyTo: z.number().exactOptional(),
};
const button = z.union([
  z.object({
    label: z.string(),
    data: z.string(),
    style: z.enum(["success", "danger", "primary"]).exactOptional(),
  }),
  z.object({ label: z.string(), url: z.string() }),
]);

const outgoing = z.object({ ...formatted, buttons: z.array(z.array(button)).exactOptional(), ...delivery });
const outgoingDocument = z.object({
  name: z.string(),
  content: z.string(),
  caption: z.object(formatted).exactOptional(),
  ...delivery,
});
const reaction = z.object({
  messageId: z.number(),
  emoji: z.custom<ReactionTypeEmoji["emoji"]>((value) => typeof value === "string").nullable(),
});

/** A button of a card: a tap of ours, or a link. */
export type OutgoingButton = z.infer<typeof button>;
/** A message, as it is to be sent or to become. */
export type Outgoing = z.infer<typeof outgoing>;
/** A text file made of `content`. */
export type OutgoingDocument = z.infer<typeof outgoingDocument>;
/** A reaction to one message; null takes it back. */
export type OutgoingReaction = z.infer<typeof reaction>;

/** Something on its way, as its row holds it. */
export type Parcel =
  | { op: "send" | "edit"; content: Outgoing }
  | { op: "document"; content: OutgoingDocument }
  | { op: "react"; content: OutgoingReaction };

/** The payload of a row. The same thing makes the same payload, so that two can be compared. */
export function writePayload(content: Outgoing | OutgoingDocument | OutgoingReaction): string {
  return JSON.stringify(content);
}

/** Reads a row's payload; undefined if it is none of ours, as after a change of this program. */
export function readParcel(op: Parcel["op"], payload: string): Parcel | undefined {
  const json = parse(payload);
  switch (op) {
    case "send":
    case "edit": {
      const read = outgoing.safeParse(json);
      return read.success ? { op, content: read.data } : undefined;
    }
    case "document": {
      const read = outgoingDocument.safeParse(json);
      return read.success ? { op, content: read.data } : undefined;
    }
    case "react": {
      const read = reaction.safeParse(json);
      return read.success ? { op, content: read.data } : undefined;
    }
  }
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
