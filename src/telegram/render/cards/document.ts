import { paragraphs } from "../builder.ts";
import type { FormattedText } from "../formatted.ts";
import { renderMarkdown } from "../markdown.ts";
import { splitFormatted } from "../split.ts";

/** A long Markdown text of Claude's, as parts of a message each; one with too many also becomes a file. */
type Document = { parts: FormattedText[]; file?: { name: string; content: string } };

/**
 * Formats and splits a Markdown text; every part leaves room for a line or two below it. With more than `parts` of
 * them, only the first `partsBesideFile` are kept and the whole goes into the file.
 */
export function document(
  markdown: string,
  layout: { name: string; parts: number; partsBesideFile: number; before?: FormattedText },
): Document {
  // Formatting takes its time: of a text that becomes a file anyway, no more is formatted than is shown.
  const isLong = markdown.length > layout.parts * fullPart;
  const shown = isLong ? firstLines(markdown, layout.partsBesideFile * fullPart) : markdown;
  const parts = splitFormatted(paragraphs(layout.before, renderMarkdown(shown)), partLimits);
  if (!isLong && parts.length <= layout.parts) return { parts };
  return { parts: parts.slice(0, layout.partsBesideFile), file: { name: layout.name, content: markdown } };
}

const fullPart = 4096;
const partLimits = { characters: 3800, entities: 95, entityBytes: 8500 };

function firstLines(text: string, limit: number): string {
  const end = text.lastIndexOf("\n", limit);
  return text.slice(0, end > limit / 2 ? end : limit);
}
