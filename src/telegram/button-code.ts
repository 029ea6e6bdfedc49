import type { PromptId, RequestId, ThreadId, TurnId } from "../core/ids.ts";
import type { Tap } from "../core/view.ts";

/**
 * Writes a tap as callback data: `v1:<verb>:<id>`, with the position and the option behind it where a
 * question needs them. The result always fits Telegram's 64 bytes; an id that could not fit is our own mistake and throws.
 */
export function encodeTap(tap: Tap): string {
  const data = ["v1", tap.verb, ...fieldsOf(tap)].join(":");
  if (decodeTap(data) === undefined)
    throw new RangeError(`The tap "${tap.verb}" cannot be written as button data: ${data}`);
  return data;
}

/** Reads callback data; whatever we did not write ourselves, or an older version wrote, is undefined. */
export function decodeTap(data: string): Tap | undefined {
  if (data.length > maxBytes) return undefined;
  const [version, verb, id, ...numbers] = data.split(":");
  if (version !== "v1" || verb === undefined || id === undefined || !idPattern.test(id)) return undefined;
  if (!numbers.every((number) => numberPattern.test(number))) return undefined;
  const [position, option] = numbers.map(Number);
  if (numbers.length !== (numbersOf.get(verb) ?? 0)) return undefined;
  return readTap(verb, id, position, option);
}

/** Telegram refuses longer data; everything we accept is ASCII, so characters are bytes. */
const maxBytes = 64;
/** Long enough for a uuid, short enough that the longest verb and two numbers still fit. */
const idPattern = /^[A-Za-z0-9_-]{1,44}$/;
/** One spelling a number, so that the same tap is always the same data. */
const numberPattern = /^(0|[1-9][0-9]{0,2})$/;
/** How many numbers follow the id; none unless named here. */
const numbersOf = new Map([
  ["option", 2],
  ["submit", 1],
  ["skip", 1],
  ["other", 1],
  ["nevermind", 1],
  ["earlier", 1],
]);

function fieldsOf(tap: Tap): (string | number)[] {
  switch (tap.verb) {
    case "allow":
    case "deny":
    case "always":
    case "confirm":
    case "back":
    case "full":
    case "reveal":
    case "show":
    case "approve":
    case "approveedits":
    case "refuse":
    case "pause":
    case "discuss":
      return [tap.requestId];
    case "option":
      return [tap.requestId, tap.position, tap.option];
    case "submit":
    case "skip":
    case "other":
    case "nevermind":
    case "earlier":
      return [tap.requestId, tap.position];
    case "stop":
      return [tap.turnId];
    case "denysend":
    case "retry":
    case "fresh":
      return [tap.promptId];
    case "project":
      return [tap.name];
    case "planmode":
      return [tap.setting];
    case "trust":
    case "distrust":
      return [tap.trustId];
    case "enable":
      return [tap.threadId];
  }
}

/** The casts below are the boundary: an id that was tapped is a claim, and is looked up before it counts. */
function readTap(verb: string, id: string, position = 0, option = 0): Tap | undefined {
  switch (verb) {
    case "allow":
    case "deny":
    case "always":
    case "confirm":
    case "back":
    case "full":
    case "reveal":
    case "show":
    case "approve":
    case "approveedits":
    case "refuse":
    case "pause":
    case "discuss":
      return { verb, requestId: id as RequestId };
    case "option":
      return { verb, requestId: id as RequestId, position, option };
    case "submit":
    case "skip":
    case "other":
    case "nevermind":
    case "earlier":
      return { verb, requestId: id as RequestId, position };
    case "stop":
      return { verb, turnId: id as TurnId };
    case "denysend":
    case "retry":
    case "fresh":
      return { verb, promptId: id as PromptId };
    case "project":
      return { verb, name: id };
    case "planmode":
      return id === "on" || id === "off" || id === "auto" || id === "clear"
        ? { verb, setting: id }
        : undefined;
    case "trust":
    case "distrust":
      return { verb, trustId: id };
    case "enable":
      return { verb, threadId: id as ThreadId };
    default:
      return undefined;
  }
}
