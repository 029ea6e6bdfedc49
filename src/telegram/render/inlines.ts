import type { PhrasingContent } from "mdast";
import { bold, type Content, code, italic, join, link, strikethrough } from "./builder.ts";
import { detect } from "./detect.ts";
import type { FormattedText } from "./formatted.ts";
import { isPretending, webAddress } from "./web-address.ts";

/** What reference links point to, by identifier, and whether any does. */
export type Definitions = ReadonlyMap<string, { url: string; used: boolean }>;

/** Renders what stands within a paragraph. */
export function renderInlines(nodes: readonly PhrasingContent[], definitions: Definitions): FormattedText {
  return join(nodes.map((node) => renderInline(node, definitions)));
}

function renderInline(node: PhrasingContent, definitions: Definitions): Content {
  const children = (parent: { children: PhrasingContent[] }) => renderInlines(parent.children, definitions);
  switch (node.type) {
    case "text":
      return node.value;
    case "emphasis":
      return italic(children(node));
    case "strong":
      return bold(children(node));
    case "delete":
      return strikethrough(children(node));
    case "inlineCode":
      return code(node.value);
    case "break":
      return "\n";
    case "html":
      return node.value;
    case "link":
      return renderLink(children(node), node.url);
    case "linkReference":
      return renderLink(children(node), definitions.get(node.identifier)?.url ?? "");
    case "image":
      return renderImage(node.alt, node.url);
    case "imageReference":
      return renderImage(node.alt, definitions.get(node.identifier)?.url ?? "");
    case "footnoteReference":
      return `[${node.label ?? node.identifier}]`;
  }
}

function renderImage(alt: string | null | undefined, target: string): FormattedText {
  return renderLink(join(["🖼 ", alt || "image"]), target);
}

/** A link that says where it leads, and is one only if Telegram would take it. */
function renderLink(label: FormattedText, target: string): FormattedText {
  const address = webAddress(target);
  if (address === undefined) return named(label, target, code(target));
  if (label.text.trim() === "") return link(target, address);
  if (isPretending(label.text, address)) return named(label, target, link(address, address));
  return isDetectedAs(label, address) ? label : link(withoutCode(label), address);
}

/** A label with its target beside it, or one of them if they are the same. */
function named(label: FormattedText, target: string, shown: FormattedText): FormattedText {
  if (label.text === "" || label.text === target) return shown;
  if (target === "" || target === `mailto:${label.text}`) return label;
  return join([label, " (", shown, ")"]);
}

/** Whether Telegram makes the very same link of the label alone; then it needs no entity. */
function isDetectedAs(label: FormattedText, address: string): boolean {
  const [found] = detect(label.text);
  const whole = found?.kind === "url" && found.length === label.text.length;
  return whole && webAddress(label.text) === address && label.entities.length === 0;
}

/** Telegram has no code inside links: it would drop one or the other. */
function withoutCode({ text, entities }: FormattedText): FormattedText {
  return { text, entities: entities.filter(({ type }) => type !== "code" && type !== "text_link") };
}
