import type { FormattedText } from "../../../src/telegram/render/formatted.ts";

/** Writes a message with its entities for snapshots: the text, then one line an entity with the words under it. */
export function shown({ text, entities }: FormattedText): string {
  const list = entities.map((entity) => {
    const words = JSON.stringify(text.slice(entity.offset, entity.offset + entity.length));
    const more =
      entity.type === "text_link"
        ? ` → ${entity.url}`
        : entity.type === "pre"
          ? ` (${entity.language ?? ""})`
          : "";
    return `  ${entity.type} ${words}${more}`;
  });
  return [text, ...list].join("\n");
}
