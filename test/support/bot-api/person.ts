import { isDeepStrictEqual } from "node:util";
import type { InlineKeyboardButton, Message, User } from "grammy/types";
import type { Chat } from "./chat-control.ts";
import { type ChatState, shownChat } from "./chat-state.ts";
import { fixFormattedText } from "./formatted-text.ts";
import { reachesBot } from "./privacy.ts";
import { type SeenMessage, seen } from "./seen-message.ts";
import { openTopic } from "./topic-state.ts";
import type { NewUpdate } from "./update-queue.ts";
import { detectCommands, type SendOptions, userContent } from "./user-content.ts";
import type { Until } from "./waiting.ts";
import { type CallbackState, post, seconds, type Toast, type World } from "./world.ts";

/** Which button: by its label, by itself, or by a question about it. */
export type ButtonMatch = string | InlineKeyboardButton | ((button: InlineKeyboardButton) => boolean);

/** A tap under way. */
export type Tap = {
  id: string;
  /** What the person was shown, once the bot answered. */
  toast(): Promise<Toast>;
  /** The same without waiting. */
  answer(): Toast | undefined;
};

/** A person in the hands of a test. */
export type Person = ReturnType<typeof createPerson>;

/** Makes the handle of a user. */
export function createPerson(world: World, user: User, until: Until) {
  function deliver(chat: ChatState, kind: "message" | "edited_message", message: Message): void {
    if (reachesBot(world, chat, message)) world.updates.add({ [kind]: message });
    world.changed();
  }

  function sends(chat: Chat, text: string, options: SendOptions = {}): SeenMessage {
    const { state } = chat;
    if (state.standing === "not_started") state.standing = "member";
    const content = userContent(world, chat, user, text, options);
    const stored = post(world, { chat: state, topic: options.topic ?? 0, content });
    deliver(state, "message", stored.shown);
    return seen(state, stored);
  }

  return {
    ...user,
    user,

    /** Writes a message. */
    sends,

    /** Pastes a long text, which the app cuts into messages of 4096 characters. */
    pastes(chat: Chat, text: string, options: SendOptions = {}): SeenMessage[] {
      const characters = Array.from(text);
      const count = Math.max(1, Math.ceil(characters.length / 4096));
      return Array.from({ length: count }, (_, part) =>
        sends(chat, characters.slice(part * 4096, (part + 1) * 4096).join(""), options),
      );
    },

    /** Changes a message of their own. */
    edits(message: SeenMessage, given: string): SeenMessage {
      const chat = chatOf(world, message);
      const stored = chat.messages.get(message.id);
      if (stored?.shown.from?.id !== user.id)
        throw new Error(`Message ${message.id} is not ${user.first_name}'s`);
      const { text } = fixFormattedText(given, []);
      const entities = detectCommands(text);
      const { entities: _, ...rest } = stored.shown;
      const edited = { text, edit_date: seconds(world), ...(entities.length > 0 && { entities }) };
      stored.shown = { ...rest, ...edited };
      stored.edits += 1;
      deliver(chat, "edited_message", stored.shown);
      return seen(chat, stored);
    },

    /** Taps a button of a message as this person saw it, even if the message changed or went since. */
    taps(message: SeenMessage, which: ButtonMatch): Tap {
      const button = findButton(message, which);
      if (!("callback_data" in button)) throw new Error(`The button ${JSON.stringify(button)} sends nothing`);
      const chat = chatOf(world, message);
      const callback = openCallback(world);
      const current = chat.messages.get(message.id)?.shown;
      const inaccessible = { chat: shownChat(chat), message_id: message.id, date: 0 };
      const callback_query = {
        id: callback.id,
        from: user,
        chat_instance: String(chat.id),
        message: current ?? inaccessible,
        data: button.callback_data,
      };
      world.updates.add({ callback_query });
      world.changed();
      return {
        id: callback.id,
        toast: () => until(() => callback.answer, `an answer to the tap on ${JSON.stringify(button.text)}`),
        answer: () => callback.answer,
      };
    },

    /** Presses Stop under a text that streams in. */
    stops(chat: Chat, topic = 0): void {
      const draft = chat.state.drafts.find((one) => one.topic === topic && one.canStop);
      if (draft === undefined) throw new Error("Nothing that can be stopped streams there");
      world.updates.add({
        stopped_message_generation: {
          chat: shownChat(chat.state),
          ...(topic > 0 && { message_thread_id: topic }),
          draft_id: draft.id,
        },
      });
      world.changed();
    },

    /** Opens a topic; the id is what messages take as `topic`. */
    createsTopic(chat: Chat, name: string): number {
      const { topic, shown } = openTopic(world, chat.state, { from: user, ours: false, name });
      deliver(chat.state, "message", shown);
      return topic.id;
    },

    /** Sends any update at all, for what no other method can make. */
    sendsUpdate(update: NewUpdate): number {
      const id = world.updates.addAnyway(update);
      world.changed();
      return id;
    },
  };
}

function chatOf(world: World, { chatId }: SeenMessage): ChatState {
  const chat = world.chats.get(chatId);
  if (chat === undefined) throw new Error(`There is no chat ${chatId}`);
  return chat;
}

function findButton(message: SeenMessage, which: ButtonMatch): InlineKeyboardButton {
  const fits = buttonMatcher(which);
  const found = message.buttons.flat().find(fits);
  if (found !== undefined) return found;
  const labels = message.buttons.flat().map((button) => button.text);
  throw new Error(
    `No such button (${JSON.stringify(which)}) under message ${message.id}; it has ${JSON.stringify(labels)}`,
  );
}

function buttonMatcher(which: ButtonMatch): (button: InlineKeyboardButton) => boolean {
  if (typeof which === "function") return which;
  if (typeof which === "string") return (button) => button.text === which;
  return (button) => isDeepStrictEqual(button, which);
}

function openCallback(world: World): CallbackState {
  const id = String(4_382_000_000_000_000_000n + BigInt(world.callbacks.size + 1));
  const callback: CallbackState = { id, at: world.now(), answer: undefined };
  world.callbacks.set(id, callback);
  return callback;
}
