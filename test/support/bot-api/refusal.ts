/** What the Bot API answers instead of a result: thrown by the rules, written out by the server. */
export class Refusal extends Error {
  readonly code: number;
  readonly parameters: RefusalParameters | undefined;

  constructor(code: number, description: string, parameters?: RefusalParameters) {
    super(description);
    this.name = "Refusal";
    this.code = code;
    this.parameters = parameters;
  }
}

export type RefusalParameters = { retry_after?: number; migrate_to_chat_id?: number };

/** A 400, worded as Telegram words it: the first letter is lowered unless the message is an upper-case code. */
export function badRequest(message: string, parameters?: RefusalParameters): Refusal {
  return new Refusal(400, `Bad Request: ${lowerFirst(message)}`, parameters);
}

/** A 403: the bot may not write there, and asking again will not help. */
export function forbidden(message: string): Refusal {
  return new Refusal(403, `Forbidden: ${message}`);
}

/** A 409: someone else polls, or a webhook is set. */
export function conflict(message: string): Refusal {
  return new Refusal(409, `Conflict: ${message}`);
}

/** A 429, with the seconds to wait. */
export function tooManyRequests(retryAfter: number): Refusal {
  return new Refusal(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
}

function lowerFirst(message: string): string {
  const second = message.charAt(1);
  const isCode = second === "_" || (second >= "A" && second <= "Z");
  return isCode ? message : message.charAt(0).toLowerCase() + message.slice(1);
}
