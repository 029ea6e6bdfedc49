/** What the owner has to put right before the bot can run: whole sentences, one a line, each naming its remedy. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly lines: readonly string[];

  constructor(lines: string | readonly string[], options?: ErrorOptions) {
    const all = typeof lines === "string" ? [lines] : lines;
    super(all.join("\n"), options);
    this.lines = all;
  }
}
