import type { ImageReference, LinkReference, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { renderBlocks } from "./blocks.ts";
import { formatted } from "./builder.ts";
import { canonical } from "./canonical.ts";
import type { FormattedText } from "./formatted.ts";
import type { Definitions } from "./inlines.ts";
import { protect } from "./protect.ts";

/**
 * Renders Claude's Markdown for Telegram. It takes any text: one that is too long or too deeply nested to be parsed
 * in a moment is shown as it is written.
 */
export function renderMarkdown(markdown: string): FormattedText {
  const tree = parse(markdown);
  if (tree === undefined) return protect(formatted(markdown));
  return protect(canonical(renderBlocks(tree.children, definitionsIn(tree))));
}

/** For hostile texts the parser's time grows with the square of the length; six messages' worth stays about a second. */
const LONGEST = 24_576;
const DEEPEST = 16;
/** Quotes and list items, which are the dearest: far more than a text of that length has use for. */
const MOST_CONTAINERS = 2000;
const MOST_LINES = 2000;
const MOST_OPEN_BRACKETS = 200;

function parse(markdown: string): Root | undefined {
  if (markdown.length > LONGEST || hasTooManyContainers(markdown) || hasDeepBrackets(markdown))
    return undefined;
  try {
    const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    return isDeep(tree) ? undefined : tree;
  } catch {
    // The parser can run out of stack; an answer must be shown whatever the parser thinks of it.
    return undefined;
  }
}

const CONTAINER = "[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]))";
const CONTAINERS_OF_LINE = new RegExp(`^(?:${CONTAINER})+`, "gm");

function hasTooManyContainers(markdown: string): boolean {
  const counts = Array.from(
    markdown.matchAll(CONTAINERS_OF_LINE),
    ([markers]) => markers.match(/[>*+-]|\d+/g)?.length ?? 0,
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  const deepest = Math.max(0, ...counts);
  // Each line after a container may belong to it, and is tried against all that came before it.
  const lines = deepest === 0 ? 0 : markdown.split("\n").length;
  return deepest > DEEPEST || total > MOST_CONTAINERS || lines > MOST_LINES;
}

function hasDeepBrackets(markdown: string): boolean {
  let open = 0;
  for (const [bracket] of markdown.matchAll(/[[\]]/g)) {
    open = bracket === "[" ? open + 1 : Math.max(0, open - 1);
    if (open > MOST_OPEN_BRACKETS) return true;
  }
  return false;
}

function isDeep(root: Nodes): boolean {
  return levels(root).length > 2 * DEEPEST;
}

function definitionsIn(root: Root): Definitions {
  const nodes = levels(root).flat();
  const used = new Set(nodes.map((node) => (isReference(node) ? node.identifier : undefined)));
  const definitions = new Map<string, { url: string; used: boolean }>();
  for (const node of nodes) {
    // The first definition of a name counts.
    if (node.type !== "definition" || definitions.has(node.identifier)) continue;
    definitions.set(node.identifier, { url: node.url, used: used.has(node.identifier) });
  }
  return definitions;
}

function isReference(node: Nodes): node is LinkReference | ImageReference {
  return node.type === "linkReference" || node.type === "imageReference";
}

/** The nodes of a tree, level by level: no recursion, so that no tree is too deep to be measured. */
function levels(root: Nodes): Nodes[][] {
  const all: Nodes[][] = [];
  for (let level: Nodes[] = [root]; level.length > 0; ) {
    all.push(level);
    level = level.flatMap((node): Nodes[] => ("children" in node ? node.children : []));
  }
  return all;
}
