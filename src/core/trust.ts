/** What a folder would run or allow by itself, each as one line for the eye. */
export type FolderBrings = {
  hooks: string[];
  servers: string[];
  rules: string[];
  /** Harmless files that an untrusted start leaves out too, as CLAUDE.md. */
  leftOut: string[];
};

/** True when an untrusted start would leave something out that the owner should know of. */
export function bringsAnything(brings: FolderBrings): boolean {
  return [brings.hooks, brings.servers, brings.rules, brings.leftOut].some((list) => list.length > 0);
}
