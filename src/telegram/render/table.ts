import type { AlignType, Table } from "mdast";
import { bold, join, lines, paragraphs, pre } from "./builder.ts";
import { displayWidth } from "./display-width.ts";
import type { FormattedText } from "./formatted.ts";
import { type Definitions, renderInlines } from "./inlines.ts";

/** Renders a table as aligned code if a phone shows that unbroken, and else as one small card a row. */
export function renderTable(table: Table, definitions: Definitions): FormattedText {
  const [header = [], ...rows] = table.children.map((row) =>
    row.children.map((cell) => renderInlines(cell.children, definitions)),
  );
  const all = [header, ...rows];
  // Links would be lost in code.
  const linked = all.flat().some((cell) => cell.entities.some(({ type }) => type === "text_link"));
  const widths = header.map((_, column) => Math.max(3, ...all.map((row) => displayWidth(flat(row[column])))));
  const total = widths.reduce((sum, width) => sum + width, 0) + SEPARATOR.length * (widths.length - 1);
  if (linked || total > WIDEST) {
    return rows.length === 0
      ? lines(...header.map(bold))
      : paragraphs(...rows.map((row) => card(header, row)));
  }

  const line = (row: FormattedText[]) =>
    widths
      .map((width, column) => aligned(flat(row[column]), width, table.align?.[column]))
      .join(SEPARATOR)
      .trimEnd();
  return pre(
    [line(header), widths.map((width) => "-".repeat(width)).join("-|-"), ...rows.map(line)].join("\n"),
  );
}

/** Columns that fit on a phone held upright. */
const WIDEST = 42;
const SEPARATOR = " | ";

function flat(cell: FormattedText | undefined): string {
  return cell?.text.replaceAll("\n", " ") ?? "";
}

function aligned(text: string, width: number, align: AlignType | undefined): string {
  const space = width - displayWidth(text);
  const before = align === "right" ? space : align === "center" ? Math.floor(space / 2) : 0;
  return " ".repeat(before) + text + " ".repeat(space - before);
}

function card(header: FormattedText[], row: FormattedText[]): FormattedText {
  const columns = Array.from({ length: Math.max(header.length, row.length) }, (_, column) => column);
  return lines(
    ...columns.map((column) => {
      const name = header[column];
      const value = row[column];
      if (name === undefined || name.text === "") return value;
      return value === undefined || value.text === "" ? undefined : join([bold(name), ": ", value]);
    }),
  );
}
