/** One replacement in a text. */
export type Edit = { from: string; to: string; all: boolean };

/** Replaces one after the other, as Claude does; absent `text` means that there is no file. Without `after` there is nothing to compare. */
export function applyEdits(
  text: string | undefined,
  edits: readonly Edit[],
): { after?: string; notes: string[] } {
  let after = text;
  const notes: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const name = edits.length > 1 ? `Edit ${index + 1}` : "Claude's edit";
    const step = applyEdit(after, edit);
    if (step.kind === "fails") return { notes: [`⚠️ ${name} will most likely fail: ${step.why}`] };
    if (step.kind === "huge") return { notes: ["The new text is too long to be compared"] };
    after = step.text;
    if (step.note !== undefined) notes.push(edits.length > 1 ? `${name}: ${step.note}` : step.note);
  }
  return after === undefined ? { notes } : { after, notes };
}

const LONGEST_RESULT = 10_000_000;

type Step = { kind: "done"; text: string; note?: string } | { kind: "fails"; why: string } | { kind: "huge" };

function applyEdit(text: string | undefined, { from, to, all }: Edit): Step {
  if (from === "") {
    const isBlank = text === undefined || text.trim() === "";
    return isBlank ? { kind: "done", text: to } : { kind: "fails", why: "the file is there already" };
  }
  if (text === undefined) return { kind: "fails", why: "there is no such file" };
  const found = findIn(text, from);
  if (found === undefined) return { kind: "fails", why: "the text to replace is not in the file" };
  const count = text.split(found).length - 1;
  if (count > 1 && !all) return { kind: "fails", why: `the text to replace is in the file ${count} times` };
  // A few replacements of replacements would fill the memory.
  if (text.length + count * to.length > LONGEST_RESULT) return { kind: "huge" };
  // Claude takes the line end along when it deletes a whole line.
  const takesLineEnd = to === "" && !found.endsWith("\n") && text.includes(`${found}\n`);
  const replaced = takesLineEnd ? `${found}\n` : found;
  const after = all ? text.replaceAll(replaced, () => to) : text.replace(replaced, () => to);
  if (found !== from) return { kind: "done", text: after, note: "Found with other quotation marks" };
  return all && count > 1
    ? { kind: "done", text: after, note: `Replaces all ${count} places` }
    : { kind: "done", text: after };
}

/** The text as it stands in the file: Claude also finds it when only the quotation marks are of another kind. */
function findIn(text: string, wanted: string): string | undefined {
  if (text.includes(wanted)) return wanted;
  const at = straight(text).indexOf(straight(wanted));
  return at < 0 ? undefined : text.slice(at, at + wanted.length);
}

/** The same length, so that a place in it is a place in the text. */
function straight(text: string): string {
  return text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
}
