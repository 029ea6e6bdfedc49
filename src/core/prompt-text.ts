/** Claude's own slash commands end without a turn, and answer nothing. */
export function startsWithSlash(text: string): boolean {
  return text.trimStart().startsWith("/");
}
