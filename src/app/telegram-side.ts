import { setTimeout as delay } from "node:timers/promises";
import type { ThreadId } from "../core/ids.ts";
import type { Store } from "../store/store.ts";
import { backoff } from "../telegram/backoff.ts";
import { call } from "../telegram/call.ts";
import type { Client } from "../telegram/client.ts";
import { systemClock } from "../telegram/clock.ts";
import { registerCommands } from "../telegram/commands.ts";
import { createDeliver } from "../telegram/deliver.ts";
import { createOutboxSender } from "../telegram/outbox.ts";
import { createPoller, type Poller } from "../telegram/poller.ts";
import type { Config } from "./config.ts";
import type { Self } from "./dispatcher.ts";
import type { Log } from "./log.ts";
import type { Tasks } from "./tasks.ts";

/** What the Telegram side asks of the rest of the app. */
export type TelegramHooks = {
  dispatcherFor(
    self: Self,
    toast: (callbackId: string, text: string) => void,
  ): { wake(): void; drain(): void };
  moveChat(from: number, to: number): void;
  tellOwners(text: string): void;
  /** Telegram does not accept the token. */
  onRefused(): void;
};

/** The way to and from Telegram: the outbox goes out, updates come in, taps get their toast. */
export function createTelegram(deps: {
  config: Config;
  log: Log;
  store: Store;
  client: Client;
  tasks: Tasks;
}) {
  const { config, log, store, client, tasks } = deps;
  const stopping = new AbortController();
  const told = new Set<ThreadId>();
  let hooks: TelegramHooks | undefined;
  let poller: Poller | undefined;
  let dispatcher: { wake(): void; drain(): void } | undefined;

  const sender = createOutboxSender({
    rows: store.outbox,
    deliver: createDeliver(client),
    placeOf: (threadId) => store.threads.get(threadId),
    clock: systemClock,
    random: Math.random,
    events: {
      gone: (threadId, why) => tellGone(threadId, why),
      migrated: (threadId, to) => hooks?.moveChat(store.threads.get(threadId).chatId, to),
      rejected: (row, description) =>
        log.error("outbox.rejected", { op: row.op, lane: row.lane, description }),
      delayed: (row, why, wait) => log.warn("outbox.delayed", { row: row.id, why, wait }),
      trouble: (error) => log.error("outbox.trouble", { error }),
    },
  });

  /** Said once a thread: every further row would only say it again. */
  function tellGone(threadId: ThreadId, why: string): void {
    log.warn("outbox.chat_gone", { thread: threadId, why });
    const { chatKind, chatId } = store.threads.get(threadId);
    if (told.has(threadId) || chatKind === "private") return;
    told.add(threadId);
    hooks?.tellOwners(
      `I cannot write to the group ${chatId} any more: ${why}. What Claude says there is kept, but nobody sees it.`,
    );
  }

  /** A toast is worth a second at most, so it is never repeated and nobody waits for it. */
  function toast(callbackId: string, text: string): void {
    tasks.run("telegram.toast", async () => {
      const answered = await call(() =>
        client.api.answerCallbackQuery(callbackId, text === "" ? {} : { text: text.slice(0, 200) }),
      );
      if (answered.kind !== "ok") log.debug("telegram.toast_missed", { why: answered.kind });
    });
  }

  /** Who we are; Telegram may be out of reach for a while, and Claude's work goes on meanwhile. */
  async function introduce(): Promise<Self | "refused" | undefined> {
    for (let failures = 1; !stopping.signal.aborted; failures += 1) {
      const me = await call(() => client.api.getMe());
      if (me.kind === "ok") return { id: me.value.id, username: me.value.username };
      if (me.kind === "unauthorized") return "refused";
      log.warn("telegram.unreachable", { why: me.kind, try: failures });
      const pause = me.kind === "retry_after" ? me.seconds * 1000 : backoff(failures, Math.random);
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    return undefined;
  }

  async function run(): Promise<void> {
    const self = await introduce();
    if (self === undefined || hooks === undefined) return;
    if (self === "refused") return refused("Telegram does not accept the token");
    dispatcher = hooks.dispatcherFor(self, toast);
    dispatcher.wake();
    poller = createPoller({
      api: client.api,
      inbox: store.inbox,
      clock: systemClock,
      random: Math.random,
      events: {
        arrived: () => dispatcher?.wake(),
        conflict: (description) =>
          log.error("telegram.conflict", {
            description,
            remedy: "Another program polls with this token. Stop it, or make a new token with BotFather.",
          }),
        refused,
        trouble: (error) => log.warn("telegram.trouble", { error }),
      },
    });
    poller.start();
    log.info("telegram.ready", { bot: self.username });
    const failures = await registerCommands(client.api, config.telegram.allowedUsers);
    for (const failure of failures) log.warn("telegram.menu_not_set", failure);
  }

  function refused(description: string): void {
    log.error("telegram.refused", {
      description,
      remedy: "Check telegram.token: BotFather shows it under /mybots.",
    });
    hooks?.onRefused();
  }

  return {
    wakeOutbox: () => sender.wake(),
    start(given: TelegramHooks): void {
      hooks = given;
      sender.wake();
      tasks.run("telegram.run", run);
    },
    /** Takes nothing more, handles what it has, and gets out what it can within the time given. */
    async stop({ flushMs }: { flushMs: number }): Promise<void> {
      stopping.abort();
      await poller?.stop();
      dispatcher?.drain();
      await sender.flush(flushMs);
      await sender.stop();
    },
  };
}
