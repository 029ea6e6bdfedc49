import type { Line } from "./claude-process.ts";

/** Makes a recording the same on every machine and every day: no paths, ids or times of the run, and short lists. */
export function withPlaceholders(lines: Line[], folders: { cwd: string; home: string }): Line[] {
  const names = new Map<string, string>();
  const numbered = (found: string, name: (count: number) => string) => {
    const known = names.get(found) ?? name(names.size + 1);
    names.set(found, known);
    return known;
  };
  const cleanText = (text: string) =>
    text
      .replaceAll(folders.cwd, "/project")
      .replaceAll(folders.home, "/home/user")
      // Claude names folders after the project's path with every other character as a dash.
      .replaceAll(folders.cwd.replaceAll(/[^a-zA-Z0-9]/g, "-"), "-project")
      .replaceAll(/\/plans\/[\w-]+\.md/g, "/plans/plan.md")
      .replaceAll(/\/tmp\/claude-\d+\//g, "/tmp/claude/")
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:1")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, "2026-01-01T00:00:00.000Z")
      .replaceAll(UUID, (uuid) =>
        numbered(uuid, (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`),
      )
      .replaceAll(TASK, (id) => numbered(id, (n) => `task${n}`));
  const clean = (value: unknown, field = ""): unknown => {
    if (typeof value === "string") return cleanText(value);
    if (typeof value === "number") return TIMES.test(field) ? 0 : value;
    if (Array.isArray(value)) return LONG.has(field) ? ["…"] : value.map((one) => clean(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !NOISE.has(name))
        .map(([name, inner]) => [cleanText(name), clean(inner, name)]),
    );
  };
  return lines.map(({ direction, message }) => ({ direction, message: { ...Object(clean(message)) } }));
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
// Background commands and agents: a letter for their kind, then random letters and digits.
const TASK = /\b(?:b[0-9a-z]{8}|a[0-9a-f]{16})\b(?=["./\s<]|$)/g;
const TIMES = /(?:_ms|Ms|_time|_at|_pct|pid)$/;
const LONG = new Set([
  "commands",
  "models",
  "agents",
  "tools",
  "slash_commands",
  "skills",
  "plugins",
  "output_styles",
]);
const NOISE = new Set([
  "timestamp",
  "usage_details",
  "memory_paths",
  "inference_geo",
  "context_management",
  "diagnostics",
]);
