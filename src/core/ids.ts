declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** One conversation place: (chat, topic). */
export type ThreadId = Branded<"ThreadId">;
/** One Claude conversation, by our own id: Claude's id for it can change (`/clear`). */
export type SessionId = Branded<"SessionId">;
/** One start of `claude` for a session. */
export type ProcessId = Branded<"ProcessId">;
/** From a prompt, or a background wake-up, to a result. */
export type TurnId = Branded<"TurnId">;
/** One question of Claude's that waits for an answer; short, because it travels in callback data. */
export type RequestId = Branded<"RequestId">;
/** A user's prompt; a uuid, because Claude runs each uuid once. */
export type PromptId = Branded<"PromptId">;
/** A Telegram message that shows one thing and is edited until that thing is over. */
export type CardId = Branded<"CardId">;
