import type { BlockContent, Code, Definition, DefinitionContent, List, ListItem, RootContent } from "mdast";
import { blockquote, bold, code, expandableBlockquote, join, paragraphs, pre, underline } from "./builder.ts";
import type { FormattedText } from "./formatted.ts";
import { type Definitions, renderInlines } from "./inlines.ts";
import { prefixLines } from "./prefix.ts";
import { renderTable } from "./table.ts";

/** Renders blocks, one under the other with a blank line between them. */
export function renderBlocks(nodes: readonly RootContent[], definitions: Definitions): FormattedText {
  return paragraphs(...nodes.map((node) => renderBlock(node, { definitions, depth: 0, listDepth: 0 })));
}

/** Where a block stands: in how many blocks, and of these in how many lists. */
type Place = { definitions: Definitions; depth: number; listDepth: number };

function renderBlock(node: RootContent, place: Place): FormattedText {
  switch (node.type) {
    case "heading": {
      const title = bold(renderInlines(node.children, place.definitions));
      return node.depth === 1 ? underline(title) : title;
    }
    case "code":
      return renderCode(node);
    case "blockquote":
      return renderQuote(node.children, place);
    case "list":
      return renderList(node, place);
    case "listItem":
      return renderItem(node, "•", place);
    case "table":
      return renderTable(node, place.definitions);
    case "thematicBreak":
      return join(["──────────"]);
    case "html":
      return join([node.value]);
    case "footnoteDefinition": {
      const marker = `[${node.label ?? node.identifier}] `;
      return hanging(marker, renderInner(node.children, place, "\n\n"));
    }
    case "definition":
      return renderDefinition(node, place.definitions);
    // Front matter is not read, and rows and cells stand in tables only.
    case "yaml":
    case "tableRow":
    case "tableCell":
      return join([]);
    case "paragraph":
      return renderInlines(node.children, place.definitions);
    // The parser wraps these in paragraphs; a tree made otherwise may not.
    case "break":
    case "delete":
    case "emphasis":
    case "footnoteReference":
    case "image":
    case "imageReference":
    case "inlineCode":
    case "link":
    case "linkReference":
    case "strong":
    case "text":
      return renderInlines([node], place.definitions);
  }
}

/** A definition that no link uses would be a way to hide text. */
function renderDefinition(
  { identifier, label, url, title }: Definition,
  definitions: Definitions,
): FormattedText {
  const known = definitions.get(identifier);
  if (known?.used && known.url === url) return join([]);
  return join([`[${label ?? identifier}]: `, code(url), title ? ` ${title}` : ""]);
}

type Inner = readonly (BlockContent | DefinitionContent)[];

function renderInner(nodes: Inner, place: Place, separator: string): FormattedText {
  const inner = { ...place, depth: place.depth + 1 };
  const blocks = nodes.map((node) => renderBlock(node, inner)).filter(({ text }) => text !== "");
  return join(blocks, separator);
}

function renderCode(node: Code): FormattedText {
  const language = node.lang && LANGUAGE.test(node.lang) ? node.lang : undefined;
  return node.value.trim() === "" ? join([]) : pre(node.value, language);
}

const LANGUAGE = /^[\w+#.-]{1,32}$/;

/** Only a quote of the outermost level can be Telegram's own, which knows no quotes inside others. */
function renderQuote(nodes: Inner, place: Place): FormattedText {
  const content = renderInner(nodes, place, "\n\n");
  if (place.depth > 0) return prefixLines(content, "▎ ", "▎ ");
  return content.text.split("\n").length > LONG_QUOTE ? expandableBlockquote(content) : blockquote(content);
}

const LONG_QUOTE = 12;

function renderList(list: List, place: Place): FormattedText {
  const first = list.start ?? 1;
  const items = list.children.map((item, index) => {
    const bullet = BULLETS[place.listDepth % BULLETS.length] ?? "•";
    return renderItem(item, list.ordered ? `${first + index}.` : bullet, place);
  });
  return join(items, list.spread ? "\n\n" : "\n");
}

const BULLETS = ["•", "◦", "▪"];

function renderItem(item: ListItem, marker: string, place: Place): FormattedText {
  const box = item.checked === true ? "☑" : item.checked === false ? "☐" : undefined;
  const numbered = /^\d/.test(marker);
  const shown = box === undefined ? marker : numbered ? `${marker} ${box}` : box;
  const inner = { ...place, listDepth: place.listDepth + 1 };
  return hanging(`${shown} `, renderInner(item.children, inner, item.spread ? "\n\n" : "\n"));
}

/** A marker before the first line, and the other lines set in under it. */
function hanging(marker: string, content: FormattedText): FormattedText {
  // A code block keeps its lines to itself, so the marker stands above it.
  const startsWithPre = content.entities.some(({ type, offset }) => type === "pre" && offset === 0);
  if (startsWithPre) return join([marker.trimEnd(), "\n", prefixLines(content, "", INDENT)]);
  return prefixLines(content, marker, INDENT);
}

const INDENT = "   ";
