/** The candidate a mistyped word was most likely meant to be, or nothing when none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const bare = stripped(word);
  const tolerance = Math.ceil(bare.length / 3);
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(bare, stripped(candidate));
    if (distance <= tolerance && (best === undefined || distance < best.distance))
      best = { candidate, distance };
  }
  return best?.candidate ?? candidates.find((candidate) => beginsLike(bare, stripped(candidate)));
}

/** A word written out or cut short (`state_directory`, `auto`) is near too, however many letters that makes. */
function beginsLike(word: string, candidate: string): boolean {
  return (
    Math.min(word.length, candidate.length) >= 4 && (word.startsWith(candidate) || candidate.startsWith(word))
  );
}

/** Case and separators are what people get wrong most (`allowedUsers`), so they cost nothing. */
function stripped(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, "");
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      const removed = (row[column] ?? 0) + 1;
      const inserted = (next[column - 1] ?? 0) + 1;
      next.push(Math.min(replaced, removed, inserted));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
