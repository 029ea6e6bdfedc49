/** The first line of a text; a sign tells that there are more. */
export function oneLine(text: string): string {
  const [first = "", ...more] = text.trim().split(/[\r\n\u2028\u2029]+/);
  return more.length > 0 ? `${first} …` : first;
}
