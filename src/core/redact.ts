const hidden = "[hidden]";
// Anything shorter would blot out ordinary words.
const shortestSecret = 4;

// No word boundary in front of a bot token: in a URL it follows the word "bot" directly.
const secretShapes = [/\d{5,}(?::|%3A)[\w-]{30,}/gi, /sk-ant-[\w-]{6,}/g];

/** The text without anything that has the shape of a bot token or of an Anthropic key. */
export function redactShapes(text: string): string {
  return secretShapes.reduce((clean, shape) => clean.replaceAll(shape, hidden), text);
}

/** A cleaner of texts: without these secrets, however a URL, JSON or a single line spells them, and without anything of a secret's shape. */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const known = spellings(secrets);
  return (text) => redactShapes(known.reduce((clean, secret) => clean.replaceAll(secret, hidden), text));
}

function spellings(secrets: Iterable<string>): string[] {
  const all = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    all.add(secret).add(encodeURIComponent(secret)).add(JSON.stringify(secret).slice(1, -1));
    // A key of several lines, once it has been put on one.
    all.add(secret.trim().replaceAll(/\s+/g, " "));
  }
  // The longest first, so that a secret which begins with another one leaves no rest behind.
  return [...all].sort((a, b) => b.length - a.length);
}
