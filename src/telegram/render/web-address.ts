import { detect } from "./detect.ts";

/**
 * The address as Telegram takes it for a link, or nothing: one address it dislikes makes it refuse the whole message.
 * Only http and https, only hosts with a dot in them, and none with a user name, which is there to deceive.
 */
export function webAddress(target: string): string | undefined {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { hostname, username, password, port, href } = new URL(target);
  const named = /^[\w-]+(?:\.[\w-]+)+$/.test(hostname);
  const open = username === "" && password === "" && port !== "0";
  return named && open && href.length <= LONGEST ? href : undefined;
}

/** Whether a label names another address than the one it would lead to. */
export function isPretending(label: string, address: string): boolean {
  const target = spelled(address);
  return detect(label)
    .filter(({ kind }) => kind === "url" || kind === "email")
    .some(({ offset, length }) => !isStartOf(spelled(label.slice(offset, offset + length)), target));
}

/** A longer address would use up what one message may spend on its entities. */
const LONGEST = 2000;

/** An address without the parts that do not say where it leads. */
function spelled(address: string): string {
  const full = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(full)) return address;
  const { host, pathname, search, hash } = new URL(full);
  return `${host.replace(/^www\./, "")}${pathname}${search}${hash}`.replace(/\/$/, "");
}

function isStartOf(label: string, target: string): boolean {
  return target === label || (target.startsWith(label) && /[/?#]/.test(target.charAt(label.length)));
}
