import { join } from "node:path";
import { claudeEnv } from "../claude/options.ts";
import { createRegistry } from "../claude/registry.ts";
import type { SessionId } from "../core/ids.ts";
import { redactor } from "../core/redact.ts";
import { openStore } from "../store/store.ts";
import { createClient } from "../telegram/client.ts";
import type { Config } from "./config.ts";
import type { Desk } from "./desk.ts";
import { createDispatcher } from "./dispatcher.ts";
import { databaseFile, INSTANCE_KEY } from "./files.ts";
import { findClaude } from "./find-claude.ts";
import { moveChat } from "./intake.ts";
import type { Lock } from "./lock.ts";
import type { Log } from "./log.ts";
import { uuid } from "./new-id.ts";
import { tellOwners } from "./notify.ts";
import { sweepOverdue } from "./overdue.ts";
import { createPolicyHook } from "./policy-hook.ts";
import { createPresenter } from "./present.ts";
import { createProgress } from "./progress.ts";
import { settlePastes } from "./prompts.ts";
import { recover } from "./recover.ts";
import { secretsOf } from "./secrets.ts";
import type { RunningBot } from "./start-command.ts";
import { createSupervisor } from "./supervisor.ts";
import { createTasks } from "./tasks.ts";
import { createTelegram } from "./telegram-side.ts";

const TICK_MS = 500;
const PRUNE_EVERY_MS = 3_600_000;
const KEPT_MS = 8 * 24 * 3_600_000;
/** How long what is over can still be looked up; the audit is kept for ever. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;
/** How long a stop may take to get what is written out to Telegram. */
const FLUSH_MS = 5_000;

/** Puts the bot together and starts it: the store first, then what ran on without us, then Telegram. */
export async function startBot({
  config,
  log,
}: {
  config: Config;
  log: Log;
  lock: Lock;
}): Promise<RunningBot> {
  const { command, version, warning } = await findClaude({
    command: config.claude.command,
    env: claudeEnv(process.env, config.claude),
  });
  if (warning !== undefined) log.warn("claude.warning", { warning });
  const store = openStore(join(config.stateDir, databaseFile));
  const instance = store.meta.getOrMake(INSTANCE_KEY, uuid);
  const tasks = createTasks(log);
  const client = createClient(config.telegram);
  const telegram = createTelegram({ config, log, store, client, tasks });

  const toTend = new Set<SessionId>();
  const desk: Desk = {
    config,
    store,
    log,
    clock: () => Date.now(),
    present: createPresenter({
      store,
      clock: () => Date.now(),
      redact: redactor(secretsOf(config, process.env)),
      wakeOutbox: telegram.wakeOutbox,
    }),
    registry: createRegistry(),
    wake: {
      session(sessionId) {
        if (toTend.size === 0) setImmediate(tendAll);
        toTend.add(sessionId);
      },
      answer(requestId) {
        // After the transaction, whose answer must not leave before it is certain.
        setImmediate(() => {
          desk.registry.deliver(requestId);
          desk.registry.over(requestId);
        });
      },
      progress: (sessionId) => progress.changed(sessionId),
      hook: (requestId) => hook.wake(requestId),
    },
  };
  const supervisor = createSupervisor(desk, { instance, command, parentEnv: process.env, tasks });
  const hook = createPolicyHook(desk, { instance, parentEnv: process.env, tasks });
  const progress = createProgress(desk, (sessionId) => supervisor.workOf(sessionId));

  function tendAll(): void {
    const sessions = [...toTend];
    toTend.clear();
    for (const sessionId of sessions) supervisor.tend(sessionId);
  }

  await recover(desk, supervisor, instance);
  const startedAt = desk.clock();
  const ticking = setInterval(() => {
    guarded(log, "tick.pastes", () => settlePastes(desk, "due"));
    guarded(log, "tick.progress", () => progress.tick());
    guarded(log, "tick.overdue", () => sweepOverdue(desk, startedAt));
    guarded(log, "tick.supervisor", () => supervisor.tick());
  }, TICK_MS);
  const pruning = setInterval(() => {
    guarded(log, "tick.prune", () => {
      store.outbox.prune(Date.now() - KEPT_MS);
      store.inbox.prune(Date.now() - KEPT_MS);
      store.prune(Date.now() - REMEMBERED_MS);
    });
  }, PRUNE_EVERY_MS);

  let resolveStopped: (end: { exitCode: number }) => void = () => {};
  const stopped = new Promise<{ exitCode: number }>((resolve) => {
    resolveStopped = resolve;
  });
  let stopping = false;

  async function stop(exitCode = 0): Promise<void> {
    if (stopping) return;
    stopping = true;
    clearInterval(ticking);
    clearInterval(pruning);
    hook.stop();
    await telegram.stop({ flushMs: FLUSH_MS });
    await supervisor.close();
    await tasks.settled();
    store.close();
    log.info("bot.stopped");
    resolveStopped({ exitCode });
  }

  telegram.start({
    dispatcherFor: (self, toast) => createDispatcher(desk, { self, sessions: supervisor, toast }),
    moveChat: (from, to) => store.transaction(() => moveChat(desk, from, to)),
    tellOwners: (text) => store.transaction(() => tellOwners(desk, text)),
    // Not one of the tasks: it waits for all of them to end, and would wait for itself.
    onRefused: () =>
      void stop(2).catch((error: unknown) => {
        log.error("bot.stop_failed", { error });
        resolveStopped({ exitCode: 1 });
      }),
  });
  log.info("bot.started", {
    claude: version,
    projects: config.projects.size,
    sessions: supervisor.liveCount(),
  });
  return { stop: () => stop(), stopped };
}

function guarded(log: Log, name: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    log.error(`${name}_failed`, { error });
  }
}
