import type { ChatState, Standing } from "./chat-state.ts";
import { type SeenMessage, seen } from "./seen-message.ts";
import { announceStanding } from "./standing.ts";
import { dropTopic } from "./topic-state.ts";
import type { Until } from "./waiting.ts";
import type { World } from "./world.ts";

/** A text to look for in messages: a part of it, a pattern, or a question about the whole message. */
export type MessageMatch = string | RegExp | ((message: SeenMessage) => boolean);

/** A chat in the hands of a test. */
export type Chat = ReturnType<typeof createChat>;

/** Makes the handle of a chat. */
export function createChat(world: World, state: ChatState, until: Until) {
  const messages = (): SeenMessage[] => [...state.messages.values()].map((stored) => seen(state, stored));
  const set = (standing: Standing): void => {
    const before = state.standing;
    state.standing = standing;
    announceStanding(world, state, before);
    world.changed();
  };
  return {
    state,
    get id(): number {
      return state.id;
    },

    /** All messages as they stand now, oldest first. */
    messages,

    /** What the bot sent and did not delete. */
    fromBot: (): SeenMessage[] => messages().filter((message) => message.fromBot),

    /** A message by its id, as it stands now. */
    message(id: number): SeenMessage | undefined {
      const stored = state.messages.get(id);
      return stored === undefined ? undefined : seen(state, stored);
    },

    /** Waits for a message of the bot that matches, also by an edit; the newest if there are several. */
    untilMessage(match: MessageMatch, after?: { id: number }): Promise<SeenMessage> {
      const fits = matcher(match);
      const look = (): SeenMessage | undefined =>
        messages().findLast((message) => message.fromBot && message.id > (after?.id ?? 0) && fits(message));
      return until(look, `a message that matches ${String(match)} in chat ${state.id}`);
    },

    /** What streams there now, while it is younger than the 30 s Telegram shows it. */
    draft(topic = 0): string | undefined {
      const draft = state.drafts.find((one) => one.topic === topic);
      return draft === undefined || world.now() - draft.at >= 30_000 ? undefined : draft.text;
    },

    closeTopic(id: number): void {
      const topic = state.topics.get(id);
      if (topic !== undefined) topic.closed = true;
    },

    /** Deletes a topic with its messages; the bot is not told, as in Telegram. */
    deleteTopic(id: number): void {
      dropTopic(state, id);
      world.changed();
    },

    /** Deletes a message as a person would; the bot is not told. */
    deleteMessage(message: { id: number }): void {
      state.messages.delete(message.id);
      world.changed();
    },

    /** The person blocks the bot, or lets it write again. */
    block: (): void => set("blocked"),
    unblock: (): void => set("member"),
    /** The person's account is gone. */
    deactivate: (): void => set("deactivated"),
    /** The group throws the bot out, deletes itself, or takes the bot in again. */
    kick: (): void => set("kicked"),
    remove: (): void => set("left"),
    destroy: (): void => set("deleted"),
    readmit: (standing: "member" | "administrator" = "member"): void => set(standing),
  };
}

function matcher(match: MessageMatch): (message: SeenMessage) => boolean {
  if (typeof match === "function") return match;
  if (typeof match === "string") return (message) => message.text.includes(match);
  return (message) => new RegExp(match.source, match.flags.replace("g", "")).test(message.text);
}
