import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "better-sqlite3";
import type { BotProcess } from "../bot-process.ts";
import { eventually } from "../eventually.ts";
import type { Chance } from "../random.ts";
import { bytesArrived } from "../read-store.ts";
import type { Stage } from "../stage.ts";

/**
 * When to kill a bot: so long after it was started, in the middle of getting ready as like as not; or so long after it was
 * ready. Then either at once, or at the next event of a kind and a little later.
 */
export type KillMoment = { from: "start" | "ready"; afterMs: number; event?: KillEvent; thenMs: number };

/** What a kill can be tied to: a call at Telegram, rows in the store, bytes for Claude, a request at the model. */
export type KillEvent = (typeof EVENTS)[number];

const CALLS = ["getUpdates", "sendMessage", "editMessageText", "answerCallbackQuery"] as const;
const ROWS = {
  "an update is recorded": "SELECT count(*) FROM inbox",
  "an update is handled": "SELECT count(*) FROM inbox WHERE state = 'done'",
  "a prompt is written": "SELECT count(*) FROM prompts",
  "a prompt is sent": "SELECT count(*) FROM prompts WHERE state IN ('sent', 'taken', 'done')",
  "a prompt is taken": "SELECT count(*) FROM prompts WHERE state IN ('taken', 'done')",
  "a process is to be started": "SELECT count(*) FROM processes",
  "a request is asked": "SELECT count(*) FROM requests",
  "a request is decided": "SELECT count(*) FROM requests WHERE state <> 'waiting'",
  "a turn is over": "SELECT count(*) FROM turns WHERE state <> 'open'",
  "a message goes out": "SELECT count(*) FROM outbox WHERE state <> 'queued'",
  "a message is out": "SELECT count(*) FROM outbox WHERE state = 'sent'",
} as const;
const OTHERS = ["bytes reach Claude", "the model is asked"] as const;
type RowEvent = keyof typeof ROWS;

const ROW_EVENTS = Object.keys(ROWS).filter(isRowEvent);
const EVENTS = [...CALLS, ...ROW_EVENTS, ...OTHERS] as const;

/** An event that does not come is not waited for any longer than this. */
const PATIENCE_MS = 1_000;
const READY_MS = 30_000;
const LOOK_EVERY_MS = 2;

/** Draws a moment. */
export function drawMoment(luck: Chance): KillMoment {
  const isEarly = luck.below(3) === 0;
  const when = isEarly
    ? ({ from: "start", afterMs: luck.below(1_200) } as const)
    : ({ from: "ready", afterMs: luck.below(900) } as const);
  return luck.below(3) === 0
    ? { ...when, thenMs: 0 }
    : { ...when, event: luck.pick(EVENTS), thenMs: luck.pick([0, 0, luck.below(30)]) };
}

/** Waits for a moment of a bot that has just been started, and says how it came. */
export async function untilMoment(stage: Stage, bot: BotProcess, moment: KillMoment): Promise<string> {
  const { from, afterMs, event, thenMs } = moment;
  if (from === "ready")
    await eventually(() => bot.log().includes("telegram.ready"), "the bot to be ready", READY_MS);
  await delay(afterMs);
  const said = `${afterMs} ms after ${from}`;
  if (event === undefined) return said;
  const came = await nextEvent(stage, event);
  await delay(thenMs);
  return `${said}, ${came ? "" : "waiting in vain until "}${event}, +${thenMs} ms`;
}

async function nextEvent(stage: Stage, event: KillEvent): Promise<boolean> {
  const store = new Database(join(stage.stateDir, "signoff.db"), { readonly: true });
  const count = counter(stage, store, event);
  const until = Date.now() + PATIENCE_MS;
  try {
    const before = count();
    while (Date.now() < until) {
      if (count() > before) return true;
      await delay(LOOK_EVERY_MS);
    }
    return false;
  } finally {
    store.close();
  }
}

/** Counts how often an event has come so far. */
function counter(stage: Stage, store: Database.Database, event: KillEvent): () => number {
  if (isRowEvent(event)) {
    const rows = store.prepare<[], number>(ROWS[event]).pluck();
    return () => rows.get() ?? 0;
  }
  switch (event) {
    case "bytes reach Claude":
      return () => bytesArrived(stage.stateDir);
    case "the model is asked":
      return () => stage.model.requests().length;
    case "getUpdates":
    case "sendMessage":
    case "editMessageText":
    case "answerCallbackQuery":
      return () => stage.telegram.calls(event).length;
  }
}

function isRowEvent(event: string): event is RowEvent {
  return event in ROWS;
}
