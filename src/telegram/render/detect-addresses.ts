import { TOP_LEVEL_DOMAINS } from "./top-level-domains.ts";

/** A web or mail address found in plain text. */
type Address = { kind: "url" | "email"; offset: number; length: number };

/**
 * Finds the addresses Telegram would make clickable, with or without a scheme.
 * It looks at each dot in turn: what stands around it, what may follow, and whether what comes before forbids it.
 */
export function detectAddresses(text: string): Address[] {
  const found: Address[] = [];
  let begin = 0;
  for (;;) {
    const dot = text.indexOf(".", begin);
    if (dot === -1 || dot + 1 === text.length) return found;
    if (text[dot + 1] === " ") {
      begin = dot + 2;
      continue;
    }
    const candidate = around(text, begin, dot);
    if (candidate.allowed) {
      const address = candidate.end > dot + 1 ? judged(text, candidate.start, candidate.end) : undefined;
      if (address) found.push(address);
      begin = candidate.end;
      while (text[begin] === ".") begin += 1;
    } else {
      begin = text.lastIndexOf(".", candidate.end - 1) + 1;
    }
    begin = Math.max(begin, dot + 1);
  }
}

const IN_DOMAIN = /[.\w~\-\u200C-\u200D\u2010-\u2015]|[^\0-\u00BF\p{Z}\u2000-\u206F]/u;
const IN_CREDENTIALS = /[^\n/[\]{}()'`<>"@«»\p{Z}\u2000-\u200B\u200E\u200F\u2016-\u206F]/u;
const IN_PATH = /[^\n<>"«»\p{Z}\u2000-\u200B\u200E\u200F\u2016-\u206F]/u;
const IN_SCHEME = /[A-Za-z0-9+-]|[^\0-\u007F\p{Z}]/u;
const FORBIDS = /[\p{L}\p{N}_/#@]/u;
const NOT_LAST_IN_PATH = ".:;,('?!`";
const PORT = /:0*([1-9]\d{0,4})(?!\d)/y;

/** The widest stretch around a dot that could be an address, never reaching back before `begin`. */
function around(text: string, begin: number, dot: number): { start: number; end: number; allowed: boolean } {
  let start = back(text, begin, dot, IN_DOMAIN);
  let domainEnd = dot;
  let credentials = false;
  for (; domainEnd < text.length; domainEnd += 1) {
    if (text[domainEnd] === "@") credentials = true;
    else if (!IN_DOMAIN.test(text.charAt(domainEnd))) break;
  }
  if (credentials) start = back(text, begin, start, IN_CREDENTIALS);

  let end = pathEnd(text, portEnd(text, domainEnd));
  while (end > dot + 1 && text[end - 1] === ".") end -= 1;

  let allowed = true;
  if (start > begin && text[start - 1] === "@") {
    const user = back(text, begin, start - 1, IN_CREDENTIALS);
    allowed = !credentials && user < start - 1;
    start = user;
  }
  if (start === begin) return { start, end, allowed };
  if (!text.slice(begin, start).endsWith("://")) {
    return { start, end, allowed: allowed && !FORBIDS.test(text.charAt(start - 1)) };
  }
  const scheme = text.slice(back(text, begin, start - 3, IN_SCHEME), start - 3).toLowerCase();
  const known = /(?:(?<!^s)http|https|(?<!^[ts])ftp)$/.exec(scheme)?.[0];
  return { start: known ? start - known.length - 3 : start, end, allowed: allowed && known !== undefined };
}

function back(text: string, begin: number, from: number, allowed: RegExp): number {
  let index = from;
  while (index > begin && allowed.test(text.charAt(index - 1))) index -= 1;
  return index;
}

function portEnd(text: string, start: number): number {
  PORT.lastIndex = start;
  const port = PORT.exec(text);
  return port && Number(port[1]) <= 65_535 ? start + port[0].length : start;
}

function pathEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === "" || !"/?#".includes(first)) return start;
  let end = start + 1;
  while (end < text.length && IN_PATH.test(text.charAt(end))) end += 1;
  while (end > start + 1 && NOT_LAST_IN_PATH.includes(text.charAt(end - 1))) end -= 1;
  return first === "/" || end > start + 1 ? end : start;
}

const EMAIL = /^(?:[\w-]{0,26}[.+]){0,10}[\w-]{1,35}@(?:(?:[a-z0-9][\w-]{0,28})?[a-z0-9]\.){1,6}[a-z]{2,8}$/i;

function judged(text: string, start: number, end: number): Address | undefined {
  const address = text.slice(start, end);
  if (EMAIL.test(address)) return { kind: "email", offset: start, length: address.length };
  if (address.startsWith("mailto:") && EMAIL.test(address.slice(7))) {
    return { kind: "email", offset: start + 7, length: address.length - 7 };
  }
  const scheme = /^(?:https?|ftp):\/\//i.exec(address)?.[0] ?? "";
  const hostEnd = address.slice(scheme.length).search(/[/?#]/);
  const pathStart = hostEnd === -1 ? address.length : scheme.length + hostEnd;
  const host = address
    .slice(scheme.length, pathStart)
    .replace(/^[^@]*@/, "")
    .replace(/:[^:]*$/, "");
  if (!isHost(host, { anyEnding: scheme !== "" })) return undefined;
  return { kind: "url", offset: start, length: pathStart + balanced(address.slice(pathStart)) };
}

/** How much of a path belongs to it: up to the first bracket that closes nothing. */
function balanced(path: string): number {
  const open = new Map([
    ["(", 0],
    ["[", 0],
    ["{", 0],
  ]);
  const opener = new Map([
    [")", "("],
    ["]", "["],
    ["}", "{"],
  ]);
  let end = 0;
  for (; end < path.length; end += 1) {
    const bracket = path.charAt(end);
    const closes = opener.get(bracket);
    const count = open.get(closes ?? bracket);
    if (count === undefined) continue;
    if (closes !== undefined && count === 0) break;
    open.set(closes ?? bracket, closes === undefined ? count + 1 : count - 1);
  }
  while (end > 0 && NOT_LAST_IN_PATH.includes(path.charAt(end - 1))) end -= 1;
  return end;
}

function isHost(host: string, { anyEnding }: { anyEnding: boolean }): boolean {
  const labels = host.split(".");
  const ending = labels.at(-1) ?? "";
  const name = labels.at(-2);
  if (name === undefined || host.toLowerCase() === "teiegram.org") return false;
  if (labels.some((label) => label === "" || label.endsWith("-") || Buffer.byteLength(label) >= 64))
    return false;
  if (
    labels.length === 4 &&
    labels.every((label) => /^(?:0|[1-9]\d{0,2})$/.test(label) && Number(label) < 256)
  ) {
    return true;
  }
  if (/^[\d.]*$/.test(host) || /^.?$/su.test(ending) || name.includes("_")) return false;
  if (ending.startsWith("xn--")) return /^xn--[A-Za-z0-9]{2,}$/.test(ending);
  if (/[_-]/.test(ending)) return false;
  return anyEnding || isKnownEnding(ending);
}

function isKnownEnding(ending: string): boolean {
  const lower = ending.toLowerCase();
  // "end.Is it" is a missing space, not an address.
  const capitalised = lower !== ending && lower.replace(/^./su, "") === ending.replace(/^./su, "");
  return !capitalised && TOP_LEVEL_DOMAINS.has(lower);
}
