import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AuditLine, auditRows } from "../store/audit.ts";
import { openReadOnly } from "../store/database.ts";
import { literal } from "../telegram/render/literal.ts";
import { loadStateDir } from "./config.ts";
import { databaseFile } from "./files.ts";
import type { Surroundings } from "./surroundings.ts";

export type AuditFormat = "table" | "json" | "csv";

/** `signoff audit`: prints what was decided, the newest first. It only reads, also while the bot runs. */
export async function runAudit(
  { format, limit, configPath }: { format: AuditFormat; limit: number; configPath?: string },
  around: Surroundings,
): Promise<number> {
  const stateDir = await loadStateDir({
    ...around,
    ...(configPath === undefined ? {} : { argvPath: configPath }),
  });
  for (const line of printed(readEntries(stateDir, limit), format)) around.out(line);
  return 0;
}

function readEntries(stateDir: string, limit: number): AuditLine[] {
  const file = join(stateDir, databaseFile);
  if (!existsSync(file)) return [];
  const db = openReadOnly(file);
  try {
    return auditRows(db).newest(limit);
  } finally {
    db.close();
  }
}

function printed(entries: readonly AuditLine[], format: AuditFormat): string[] {
  switch (format) {
    case "json":
      return entries.map((entry) => JSON.stringify(Object.fromEntries(cellsOf(entry))));
    case "csv":
      return [columns.join(","), ...entries.map((entry) => csvLine(entry))];
    case "table":
      return entries.length === 0 ? ["Nothing was decided yet."] : table(entries);
  }
}

const columns = ["at", "who", "who_id", "what", "tool", "subject", "rule", "project", "session", "request"];

type Cell = [column: string, value: string | number | null];

function cellsOf(entry: AuditLine): Cell[] {
  const values = [
    new Date(entry.at).toISOString(),
    entry.who,
    entry.whoId,
    entry.what,
    entry.tool,
    entry.subject,
    entry.rule,
    entry.project,
    entry.sessionId,
    entry.requestId,
  ];
  return columns.map((column, index): Cell => [column, values[index] ?? null]);
}

/** As RFC 4180 has it: what holds a comma, a quote or a line break stands in quotes, and a quote in it is doubled. */
function csvLine(entry: AuditLine): string {
  return cellsOf(entry)
    .map(([, value]) => {
      const text = value === null ? "" : String(value);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(",");
}

const shownColumns = ["at", "who", "what", "tool", "subject", "rule", "project"];
const widest = 60;

function table(entries: readonly AuditLine[]): string[] {
  const rows = [
    shownColumns,
    ...entries.map((entry) => {
      const cells = new Map(cellsOf(entry));
      return shownColumns.map((column) => cellText(cells.get(column) ?? null));
    }),
  ];
  const widths = shownColumns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** A terminal obeys control characters, and a subject is of the model's choosing: they are made visible. */
function cellText(value: string | number | null): string {
  const text = literal(value === null ? "" : String(value), { multiline: false });
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}
