/**
 * Whether a path fits a glob: `**` stands for any number of folders, `*` for anything within one name, `?` for one
 * character; all else is itself, also a leading dot. An absolute glob fits absolute paths only, a relative one relative paths.
 */
export function matchesGlob(glob: string, path: string): boolean {
  if (glob.startsWith("/") !== path.startsWith("/")) return false;
  return fits(namesIn(glob), namesIn(path), { isStar: (name) => name === "**", fitsOne: nameFits });
}

function nameFits(pattern: string, name: string): boolean {
  return fits(Array.from(pattern), Array.from(name), {
    isStar: (sign) => sign === "*",
    fitsOne: (sign, character) => sign === "?" || sign === character,
  });
}

function namesIn(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

/** Only the last star is ever tried again, so that no path, however hostile, takes longer than glob times path. */
function fits(
  pattern: readonly string[],
  text: readonly string[],
  rules: { isStar: (part: string) => boolean; fitsOne: (part: string, given: string) => boolean },
): boolean {
  let at = 0;
  let position = 0;
  let lastStar: { after: number; position: number } | undefined;
  while (position < text.length) {
    const part = pattern[at];
    if (part !== undefined && rules.isStar(part)) {
      at += 1;
      lastStar = { after: at, position };
    } else if (part !== undefined && rules.fitsOne(part, text[position] ?? "")) {
      at += 1;
      position += 1;
    } else if (lastStar !== undefined) {
      lastStar = { ...lastStar, position: lastStar.position + 1 };
      at = lastStar.after;
      position = lastStar.position;
    } else return false;
  }
  return pattern.slice(at).every(rules.isStar);
}
