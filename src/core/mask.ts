/** A text without its secrets, and how many stretches of it were hidden. */
export type Masked = { text: string; hidden: number };

/**
 * Hides what looks like a secret, keeping its last characters so that it can be told from another one. A person decides
 * by what is left, so nothing but a secret may go: a hidden stretch never holds a space or a character by which a shell
 * would begin another command.
 */
export function maskSecrets(text: string): Masked {
  let hidden = 0;
  const hide = (secret: string): string => {
    hidden += 1;
    return `${DOTS}${secret.slice(secret.length - tailLength(secret))}`;
  };
  const masked = MASKS.reduce((clean, mask) => mask(clean, hide), text);
  return { text: masked, hidden };
}

type Hide = (secret: string) => string;
type Mask = (text: string, hide: Hide) => string;

const DOTS = "••••";

/** Of a short one even two characters would be too much. */
function tailLength(secret: string): number {
  if (secret.length >= 20) return 4;
  return secret.length >= 10 ? 2 : 0;
}

// Every pattern begins at a fixed word, or where a run of word characters begins, and runs on in one direction only: so
// that a text of megabytes, made to be slow, costs no more than any other.

/** Keys that are known by how they begin, wherever they stand. */
const TOKENS = [
  // A bot token; in a URL it follows the word "bot" directly.
  /(?<!\d)\d{6,12}:[\w-]{32,}/g,
  // Keys of Anthropic, OpenAI and others; without a digit and a capital it is a word with hyphens.
  /(?<![\w-])sk-(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{20,}/g,
  /(?<!\w)(?:sk|rk|pk|whsec)_(?:live|test)_\w{16,}/g,
  /(?<!\w)gh[opusr]_\w{30,}/g,
  /(?<!\w)github_pat_\w{22,}/g,
  /(?<![\w-])glpat-[\w-]{20,}/g,
  /(?<![\w-])xox[a-z]-[\w-]{10,}/g,
  /(?<!\w)A[KS]IA[0-9A-Z]{16}(?!\w)/g,
  /(?<![\w-])AIza[\w-]{35}/g,
  /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g,
  /(?<!\w)hf_[A-Za-z0-9]{30,}/g,
  /(?<![\w-])pypi-[\w-]{40,}/g,
  /(?<![\w-])SG\.[\w-]{16,64}\.[\w-]{16,}/g,
  /(?<!\w)AGE-SECRET-KEY-1[0-9A-Z]{50,}/g,
  // A JSON web token: two parts that begin like JSON, and a signature.
  /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
];

/** What a secret is made of where nothing but its place gives it away: no spaces, quotes or signs of a shell. */
const VALUE = String.raw`[^\s"'\x60;|&<>()$\\,{}[\]•]`;

/** The lines of a key in PEM, real or written as \n, in a diff or indented; only the last may be short. */
const PEM_INDENT = String.raw`[+ \t-]{0,16}(?![+ \t-])`;
const PEM_BREAK = String.raw`(?:\r?\n|(?:\\r)?\\n)${PEM_INDENT}`;
const PEM_BODY = `(?:${PEM_BREAK}[A-Za-z0-9+/=]{40,})*${PEM_BREAK}[A-Za-z0-9+/=]{1,80}`;
/** The hyphens of the last line would be taken for its indent. */
const PEM_END = String.raw`(?:\r?\n|(?:\\r)?\\n)[+ \t-]{5,21}END `;
const PEM = new RegExp(
  `-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(${PEM_BODY})(?=${PEM_END})`,
  "g",
);

const PASSWORD_WORDS = "passw(?:or)?d|passwort|passphrase|pwd";
const KEY_WORDS = "(?:api|access|private|secret|auth|account|signing)[_-]?key(?:[_-]?base)?";
/** `"password": "…"`, `DB_PASSWORD=…`, `apiKey: …`, `--token=…`, `--token …`: the word, the sign, a quote, the value. */
const ASSIGNMENT = new RegExp(
  String.raw`(${PASSWORD_WORDS}|secret|token|credentials?|${KEY_WORDS}|key)(\\?["']?(?:[ \t]{0,4}[:=][ \t]{0,4}|[ \t]{1,4}))(\\?["']?)(${VALUE}{6,})`,
  "gi",
);
const IS_PASSWORD = new RegExp(`^(?:${PASSWORD_WORDS})$`, "i");
const IN_ADDRESS = new RegExp(
  String.raw`(://[^\s/:@"'\x60]{0,64}:)((?:(?![/@?#])${VALUE}){1,200})(?=@)`,
  "g",
);
const IN_HEADER = new RegExp(
  String.raw`\b((?:Bearer|Basic|Authorization:[ \t]{0,4}(?:token|key))[ \t]{1,4})(${VALUE}{12,})`,
  "gi",
);
const LOGIN_OPTION = new RegExp(
  String.raw`(?<=\s)((?:-u|--user)[ =]?["']?[\w.@-]{1,64}:)(${VALUE}{4,})`,
  "g",
);

const MASKS: readonly Mask[] = [
  (text, hide) =>
    text.replace(PEM, (block: string, body: string) => block.replace(body, () => ` ${hide(body)}`)),
  ...TOKENS.map(
    (token): Mask =>
      (text, hide) =>
        text.replace(token, hide),
  ),
  (text, hide) => text.replace(IN_ADDRESS, (_, before: string, password: string) => before + hide(password)),
  (text, hide) =>
    text.replace(IN_HEADER, (all: string, before: string, value: string) =>
      isRandom(value, 12) ? before + hide(value) : all,
    ),
  (text, hide) =>
    text.replace(LOGIN_OPTION, (_, before: string, password: string) => before + hide(password)),
  (text, hide) =>
    text.replace(
      ASSIGNMENT,
      (all: string, word: string, sign: string, quote: string, value: string, at: number) => {
        const assignment = { word, sign, quote, value };
        const isSecret =
          isName(text, at, assignment) && isOwnValue(text[at + all.length]) && isHidden(assignment);
        return isSecret ? `${word}${sign}${quote}${hide(value)}` : all;
      },
    ),
];

type Assignment = { word: string; sign: string; quote: string; value: string };

/** Whether the word ends a name: "monkey" has no key, and words that only follow each other are prose. */
function isName(text: string, at: number, { word, sign }: Assignment): boolean {
  const before = text[at - 1] ?? "";
  if (/[a-z]/.test(before) && /^[a-z]/.test(word)) return false;
  if (/[A-Z]/.test(before) && /^[A-Z]{2}/.test(word)) return false;
  // Without a sign between them, only an option of a command has a value.
  return /[:=]/.test(sign) || /(?:^|\s)--?[\w-]{0,40}$/.test(text.slice(Math.max(0, at - 44), at));
}

/** Code goes on behind a value: a call, an index, a template. */
function isOwnValue(next = ""): boolean {
  return !/[($[{]/.test(next);
}

/** Whether a value is a secret itself, and not a path, a type, a member of something or a number. */
function isHidden({ word, sign, quote, value }: Assignment): boolean {
  if (/^(?:[~./]|\d+$|https?:)/.test(value) || NO_SECRETS.test(value)) return false;
  // A key is often no secret at all.
  if (/^key$/i.test(word)) return word === "KEY" && isRandom(value, 16);
  // In a shell and in an env file a value stands for itself; in code the same letters would be a name.
  if (word === word.toUpperCase() && sign === "=") return true;
  if (quote === "" && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value)) return false;
  return isRandom(value, IS_PASSWORD.test(word) ? 6 : 12);
}

const NO_SECRETS =
  /^(?:true|false|null|none|undefined|string|number|boolean|x{3,}|\*{3,}|changeme|example|placeholder)$/i;

/** Letters with digits or signs among them, as nobody writes words. */
function isRandom(value: string, shortest: number): boolean {
  if (value.length < shortest) return false;
  return /[A-Za-z]/.test(value) && /[\d!#%*+=?@^~]/.test(value);
}
