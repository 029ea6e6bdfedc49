import type { ThreadId } from "../core/ids.ts";
import type { Thread } from "../store/threads.ts";
import type { Intent } from "../telegram/intent.ts";
import { noteMovedChat } from "./approvers.ts";
import { runCommand } from "./commands.ts";
import type { Desk } from "./desk.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { shortId } from "./new-id.ts";
import { notify } from "./notify.ts";
import { admitText, settlePastes } from "./prompts.ts";
import { answerByReply } from "./replies.ts";
import { isShown, showRequest } from "./requests.ts";
import { handleTap } from "./taps.ts";

/** What is left to say once everything is written: the toast of a tap. */
export type Afterwards = { toast?: { callbackId: string; text: string } };

/** Takes an intent of a served person. Everything it causes becomes rows in the caller's transaction; nothing waits. */
export function takeIntent(desk: Desk, sessions: LiveSessions, intent: Intent): Afterwards {
  if (intent.kind === "ignored") return {};
  const { place, person: by, messageId } = intent;
  if (intent.kind === "migrated") {
    moveChat(desk, intent.from, intent.to);
    return {};
  }
  // Being thrown out or let back in says nothing to anyone, and needs no thread.
  if (intent.kind === "membership" && intent.change !== "added") return {};
  const thread = threadAt(desk, place);
  switch (intent.kind) {
    case "prompt":
      if (intent.replyTo !== undefined && answerByReply(desk, thread, by, intent.replyTo, intent.text))
        return {};
      admitText(desk, thread, by, { text: intent.text, messageId, mayContinue: intent.mayContinue });
      return {};
    case "command":
      // A command makes a paste complete: it came after it.
      settlePastes(desk, { threadId: thread.id });
      runCommand(desk, sessions, desk.store.threads.get(thread.id), by, intent);
      return {};
    case "tap": {
      const text =
        intent.tap === undefined
          ? "This button is from another version. /pending shows what waits."
          : handleTap(desk, sessions, { tap: intent.tap, thread, by, messageId });
      return { toast: { callbackId: intent.callbackId, text } };
    }
    case "edited":
      notify(desk, thread.id, {
        tone: "info",
        text: "Edits are not read. Send it as a new message.",
        silent: true,
      });
      return {};
    case "unsupported":
      notify(desk, thread.id, {
        tone: "info",
        text: `I can only read text, so Claude did not get the ${intent.what}. Describe it in words, or give its path on your machine.`,
      });
      return {};
    case "membership":
      notify(desk, thread.id, { tone: "info", text: "Hello. Send /enable to let me work in this group." });
      return {};
    case "topic":
      return {};
  }
}

/** The thread of a place; the first word in it makes one. */
export function threadAt(
  desk: Desk,
  place: { chatId: number; topicId: number; chatKind: Thread["chatKind"] },
): Thread {
  const known = desk.store.threads.at(place.chatId, place.topicId);
  if (known !== undefined) return known;
  const enabled = place.chatKind === "private" || isEnabled(desk, place.chatId);
  return desk.store.threads.add({ id: shortId<ThreadId>(), ...place, enabled }, desk.clock());
}

/** A group that was enabled once is enabled in all its topics. */
export function isEnabled(desk: Pick<Desk, "store">, chatId: number): boolean {
  return desk.store.threads.inChat(chatId).some((thread) => thread.enabled);
}

/** A group became a supergroup: its threads go on there, and what waits is shown anew, for the old messages are gone. */
export function moveChat(desk: Desk, from: number, to: number): void {
  noteMovedChat(desk, from, to);
  for (const thread of desk.store.threads.moveChat(from, to)) {
    desk.store.outbox.forgetMessages(thread.id, desk.clock());
    for (const request of desk.store.requests.waitingIn(thread.id).filter(isShown))
      showRequest(desk, request);
  }
}
