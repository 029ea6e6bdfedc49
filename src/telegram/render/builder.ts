import type { MessageEntity } from "grammy/types";
import type { FormattedText } from "./formatted.ts";
import { literal } from "./literal.ts";

/** What cards are made of. A string is shown literally: it can hold no markup, and hidden characters in it are made visible. */
export type Content = string | FormattedText;

/** Puts contents one after the other, with a separator if one is given. */
export function join(contents: readonly Content[], separator = ""): FormattedText {
  const texts: string[] = [];
  const entities: MessageEntity[] = [];
  let offset = 0;
  for (const [index, content] of contents.entries()) {
    if (index > 0) {
      texts.push(separator);
      offset += separator.length;
    }
    const part = formatted(content);
    for (const entity of part.entities) entities.push({ ...entity, offset: entity.offset + offset });
    texts.push(part.text);
    offset += part.text.length;
  }
  return { text: texts.join(""), entities };
}

/** Puts contents on lines of their own and leaves out the absent and the empty ones. */
export function lines(...contents: (Content | undefined)[]): FormattedText {
  return join(contents.filter(isShown), "\n");
}

/** Puts contents apart by a blank line and leaves out the absent and the empty ones. */
export function paragraphs(...contents: (Content | undefined)[]): FormattedText {
  return join(contents.filter(isShown), "\n\n");
}

/** Bold. */
export function bold(content: Content): FormattedText {
  return marked(content, (range) => ({ type: "bold", ...range }));
}

/** Italic. */
export function italic(content: Content): FormattedText {
  return marked(content, (range) => ({ type: "italic", ...range }));
}

/** Underlined. */
export function underline(content: Content): FormattedText {
  return marked(content, (range) => ({ type: "underline", ...range }));
}

/** Struck through. */
export function strikethrough(content: Content): FormattedText {
  return marked(content, (range) => ({ type: "strikethrough", ...range }));
}

/** A piece of code within a line; Telegram detects no links, mentions or commands in it. */
export function code(text: string): FormattedText {
  return marked({ text: literal(text, { multiline: false }), entities: [] }, (range) => ({
    type: "code",
    ...range,
  }));
}

/** A block of code; the language is for highlighting. */
export function pre(text: string, language?: string): FormattedText {
  return marked(text, (range) => ({ type: "pre", ...range, ...(language ? { language } : {}) }));
}

/** A quote. Telegram has no quotes inside quotes. */
export function blockquote(content: Content): FormattedText {
  return marked(content, (range) => ({ type: "blockquote", ...range }));
}

/** A quote that shows its first lines until it is tapped. */
export function expandableBlockquote(content: Content): FormattedText {
  return marked(content, (range) => ({ type: "expandable_blockquote", ...range }));
}

/** A link with a text of its own; the address must be one that `webAddress` accepts, or Telegram refuses the whole message. */
export function link(content: Content, url: string): FormattedText {
  return marked(content, (range) => ({ type: "text_link", ...range, url }));
}

/** Turns a content into a formatted text. */
export function formatted(content: Content): FormattedText {
  return typeof content === "string"
    ? { text: literal(content, { multiline: true }), entities: [] }
    : content;
}

function marked(
  content: Content,
  entity: (range: { offset: number; length: number }) => MessageEntity,
): FormattedText {
  const { text, entities } = formatted(content);
  // Telegram refuses nothing here, but an entity over no text is noise.
  return text === ""
    ? { text, entities }
    : { text, entities: [entity({ offset: 0, length: text.length }), ...entities] };
}

function isShown(content: Content | undefined): content is Content {
  return content !== undefined && formatted(content).text !== "";
}
