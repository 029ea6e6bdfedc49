import type { Outgoing } from "../outgoing.ts";

/** A view as messages. The last one carries the buttons and is the card: only it is ever edited. */
export type Rendered = {
  messages: Outgoing[];
  /** The whole text, when the messages show a part of it. */
  file?: { name: string; content: string };
};

/** What the reader's place has to say in it. */
export type RenderOptions = { timeZone?: string };
