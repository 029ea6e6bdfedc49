import { GrammyError, HttpError } from "grammy";
import { describeError } from "../core/describe-error.ts";

/** What became of one call to the Bot API. No case holds the token or what we sent. */
export type CallResult<Value> =
  | { kind: "ok"; value: Value }
  /** An edit that changed nothing. */
  | { kind: "not_modified" }
  | { kind: "retry_after"; seconds: number }
  /** The group became a supergroup, which is another chat. */
  | { kind: "migrated"; toChatId: number }
  /** Telegram does not like how it looks; without its entities or its buttons the same text can be sent. */
  | { kind: "refused_formatting"; part: "text" | "buttons"; description: string }
  /** The chat or the topic will not take anything any more. */
  | { kind: "gone"; why: string }
  /** The message to change is not there, or cannot be changed. */
  | { kind: "message_gone"; why: string }
  /** Somebody else polls with our token, or a webhook is set. */
  | { kind: "conflict"; description: string }
  | { kind: "unauthorized"; description: string }
  /** It may work later. `from` the network the outcome is in doubt: it may even have worked. */
  | { kind: "transient"; message: string; from: "network" | "server" }
  | { kind: "rejected"; code: number; description: string };

/** A call that did not work out. */
type Refusal = Exclude<CallResult<never>, { kind: "ok" }>;

/** Makes a call and says what became of it; throws only what neither Telegram nor the network has done. */
export async function call<Value>(make: () => Promise<Value>): Promise<CallResult<Value>> {
  try {
    return { kind: "ok", value: await make() };
  } catch (error) {
    if (error instanceof GrammyError) return classify(error);
    // The error inside holds the URL, and with it the token: only its code is told.
    if (error instanceof HttpError)
      return { kind: "transient", message: describeError(error), from: "network" };
    throw error;
  }
}

const notModified = /message is not modified/i;
const messageGone =
  /message to (edit|react) not found|message can't be edited|there is no (text|caption) in the message to edit|MESSAGE_ID_INVALID|message identifier is not specified/i;
const chatGone =
  /chat not found|message thread not found|TOPIC_CLOSED|TOPIC_DELETED|PEER_ID_INVALID|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED|group chat was (deactivated|deleted)|not enough rights to send|have no rights to send/i;
const badButtons = /BUTTON_|inline keyboard|reply markup|reply keyboard/i;
const badText =
  /can't parse (entities|MessageEntity)|\bentity (begin|URL|with)|an entity with incorrect|ENTITIES_TOO_LONG|ENTITY_|ENTITIES_/i;

function classify(error: GrammyError): Refusal {
  const { error_code: code, description, parameters } = error;
  if (parameters.migrate_to_chat_id !== undefined)
    return { kind: "migrated", toChatId: parameters.migrate_to_chat_id };
  if (code === 429) return { kind: "retry_after", seconds: parameters.retry_after ?? 5 };
  if (code === 409) return { kind: "conflict", description };
  // A token of a wrong shape makes a path that Telegram does not know.
  if (code === 401 || (code === 404 && !description.includes("method not found")))
    return { kind: "unauthorized", description };
  if (code === 403) return { kind: "gone", why: description };
  if (code >= 500) return { kind: "transient", message: `${code}: ${description}`, from: "server" };
  if (code === 400) return classifyBadRequest(description);
  return { kind: "rejected", code, description };
}

function classifyBadRequest(description: string): Refusal {
  if (notModified.test(description)) return { kind: "not_modified" };
  if (messageGone.test(description)) return { kind: "message_gone", why: description };
  if (chatGone.test(description)) return { kind: "gone", why: description };
  if (badButtons.test(description)) return { kind: "refused_formatting", part: "buttons", description };
  if (badText.test(description)) return { kind: "refused_formatting", part: "text", description };
  return { kind: "rejected", code: 400, description };
}
