import { randomBytes, randomUUID } from "node:crypto";

/** A short id that nobody can guess and that fits into callback data. */
export function shortId<Id extends string>(): Id {
  return randomBytes(9).toString("base64url") as Id;
}

/** An id in the form that Claude asks for. */
export function uuid<Id extends string>(): Id {
  return randomUUID() as Id;
}
