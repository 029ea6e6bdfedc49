import type { Params } from "./params.ts";
import type { World } from "./world.ts";

/** One call of a method: whose bot, with what, and a signal for when the caller hangs up. */
export type Call = { world: World; params: Params; gone: AbortSignal };

/** A Bot API method: returns the result, or throws a Refusal. */
export type Method = (call: Call) => unknown;

/** Methods by the name the documentation gives them. */
export type MethodTable = Readonly<Record<string, Method>>;
