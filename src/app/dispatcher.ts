import type { Update } from "grammy/types";
import { guard } from "../telegram/guard.ts";
import { readIntent } from "../telegram/intent.ts";
import type { Desk } from "./desk.ts";
import { type Afterwards, isEnabled, takeIntent, threadAt } from "./intake.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { notify } from "./notify.ts";

/** The bot as Telegram knows it. */
export type Self = { id: number; username: string };

const AGAIN_MS = 2_000;

/** Handles every update in the inbox, oldest first. Each is one transaction with its own mark: handled once or not at all. */
export function createDispatcher(
  desk: Desk,
  options: { self: Self; sessions: LiveSessions; toast: (callbackId: string, text: string) => void },
) {
  let scheduled = false;

  function drain(): void {
    scheduled = false;
    try {
      drainAll();
    } catch (error) {
      // As on a full disk: the rows are still there, and so is the next try.
      desk.log.error("inbox.drain_failed", { error });
      setTimeout(wake, AGAIN_MS).unref();
    }
  }

  function wake(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(drain);
  }

  function drainAll(): void {
    for (let row = desk.store.inbox.nextNew(); row !== undefined; row = desk.store.inbox.nextNew()) {
      const { toast } = handle(row);
      // At once, before anything that waits: the person's finger is still on the button.
      if (toast !== undefined) options.toast(toast.callbackId, toast.text);
    }
  }

  function handle(row: { updateId: number; body: string }): Afterwards {
    try {
      return desk.store.transaction(() => {
        const afterwards = take(row.body);
        desk.store.inbox.finish(row.updateId, desk.clock());
        return afterwards;
      });
    } catch (error) {
      desk.log.error("inbox.update_failed", { update: row.updateId, error });
      desk.store.inbox.fail(row.updateId, "failed", desk.clock());
      return apologise(row.body);
    }
  }

  function take(body: string): Afterwards {
    const update = JSON.parse(body) as Update;
    const verdict = guard(update, {
      allowedUsers: desk.config.telegram.allowedUsers,
      botId: options.self.id,
      botUsername: options.self.username,
      isEnabled: (chatId) => isEnabled(desk, chatId),
    });
    if (verdict === "serve")
      return takeIntent(desk, options.sessions, readIntent(update, { botUsername: options.self.username }));
    if ("ignore" in verdict) {
      desk.log.debug("inbox.ignored", { why: verdict.ignore });
      return {};
    }
    return { toast: { callbackId: update.callback_query?.id ?? "", text: verdict.refuse_tap } };
  }

  /** One update that fails touches nothing else, but its sender is not left in silence. */
  function apologise(body: string): Afterwards {
    try {
      const intent = readIntent(JSON.parse(body) as Update, { botUsername: options.self.username });
      if (intent.kind === "ignored" || !desk.config.telegram.allowedUsers.includes(intent.person.id))
        return {};
      const text =
        "Something went wrong inside Signoff with this. Nothing was changed; the log says more. Please try again.";
      if (intent.kind === "tap")
        return { toast: { callbackId: intent.callbackId, text: text.slice(0, 190) } };
      desk.store.transaction(() => notify(desk, threadAt(desk, intent.place).id, { tone: "error", text }));
    } catch (error) {
      desk.log.error("inbox.apology_failed", { error });
    }
    return {};
  }

  return {
    /** There may be something new. */
    wake,
    drain,
  };
}
