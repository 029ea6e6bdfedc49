import { setImmediate as nextLoop } from "node:timers/promises";
import type { BotProcess } from "../bot-process.ts";
import type { Stage } from "../stage.ts";
import { type KillMoment, untilMoment } from "./kill-moment.ts";

/** A bot that is killed again and again, and started again at once. */
export type Storm = {
  kills(): number;
  /** Resolves when so many kills are over, or the storm is. */
  reached(kills: number): Promise<void>;
  /** Resolves the next time the bot is dead, or when the storm is over. */
  nextDeath(): Promise<void>;
  /** Resolves after the last kill, when one more bot has been started. */
  over: Promise<void>;
  /** Ends it early. */
  end(): Promise<void>;
  /** One line a kill: when, and what it was tied to. */
  report(): string[];
  /** What each of the bots logged. */
  logs(): string[];
};

/** Starts the bot, kills it at the first moment, and so on through all of them; the last one lives. */
export function startStorm(stage: Stage, moments: readonly KillMoment[]): Storm {
  const lines: string[] = [];
  const bots: BotProcess[] = [];
  const since = Date.now();
  let waiting: { kills: number; go: () => void }[] = [];
  let isOver = false;

  async function rage(): Promise<void> {
    for (const moment of moments) {
      if (isOver) return;
      const bot = stage.launch();
      bots.push(bot);
      const why = await Promise.race([untilMoment(stage, bot, moment), ownEnd(bot)]);
      await bot.kill();
      lines.push(`kill ${lines.length + 1} at ${Date.now() - since} ms: ${why}`);
      tell();
      // Whoever waited for this death acts before the bot is back.
      await nextLoop();
    }
    if (!isOver) bots.push(stage.launch());
  }

  function tell(): void {
    const due = waiting.filter(({ kills }) => isOver || lines.length >= kills);
    waiting = waiting.filter((one) => !due.includes(one));
    for (const { go } of due) go();
  }

  function reached(kills: number): Promise<void> {
    if (isOver || lines.length >= kills) return Promise.resolve();
    return new Promise((go) => waiting.push({ kills, go }));
  }

  const over = rage().finally(() => {
    isOver = true;
    tell();
  });
  return {
    kills: () => lines.length,
    reached,
    nextDeath: () => reached(lines.length + 1),
    over,
    async end() {
      isOver = true;
      await over.catch(() => undefined); // whoever waits for it is told
    },
    report: () => [...lines],
    logs: () => bots.map((bot) => bot.log()),
  };
}

async function ownEnd(bot: BotProcess): Promise<never> {
  const code = await bot.exited;
  if (code === null) return new Promise(() => {}); // by our own kill
  throw new Error(`The bot ended by itself, with ${code}:\n${bot.log()}`);
}
