/** Prints a table, in the form in which bench/README.md holds it, and what it says in a sentence. */
export function report(title: string, rows: readonly Record<string, string>[], sentence: string): void {
  const heads = Object.keys(rows[0] ?? {});
  const widths = heads.map((head) => Math.max(head.length, ...rows.map((row) => (row[head] ?? "").length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" | ")} |`;
  console.log(`\n## ${title}\n`);
  console.log(line(heads));
  console.log(line(widths.map((width) => "-".repeat(width))));
  for (const row of rows) console.log(line(heads.map((head) => row[head] ?? "")));
  console.log(`\n${sentence}\n`);
}

/** How many times as much one is as the other. */
export function ratio(value: number, base: number): string {
  const times = value / base;
  return `${times < 10 ? times.toFixed(1) : times.toFixed(0)}×`;
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

/** Bytes in millions. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
