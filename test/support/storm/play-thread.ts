import { setTimeout as delay } from "node:timers/promises";
import type { Chat } from "../bot-api/chat-control.ts";
import type { Tap } from "../bot-api/person.ts";
import type { SeenMessage } from "../bot-api/seen-message.ts";
import type { Stage } from "../stage.ts";
import type { Button, PlannedAsk, PlannedPrompt, When } from "./plan.ts";
import type { Storm } from "./storm.ts";

/** A place where somebody writes to the bot. */
export type Place = { chat: Chat; topic: number };

/** A request that was shown in a place, and the taps that were made on it, in their order. */
export type PlayedAsk = { ask: PlannedAsk; place: Place; taps: MadeTap[] };
export type MadeTap = { button: Button; card: number; tap: Tap };

/** Goes through a thread's prompts as a person would: writes, looks, taps, reads the answer, writes again. */
export async function playThread(
  stage: Stage,
  storm: Storm,
  place: Place,
  prompts: readonly PlannedPrompt[],
): Promise<PlayedAsk[]> {
  const played: PlayedAsk[] = [];
  for (const prompt of prompts) {
    await storm.reached(prompt.afterKills);
    await moment(storm, prompt.at);
    say(stage, place, prompt.text);
    await Promise.all([
      remark(stage, storm, place, prompt),
      answerAll(stage, storm, place, prompt.asks).then((asks) => played.push(...asks)),
      stage.telegram.until(() => isAnswered(place, prompt), `"${prompt.answer}" in the chat`),
    ]);
  }
  return played;
}

/** What the bot has said in a place, as it stands now. */
export function saidIn({ chat, topic }: Place): SeenMessage[] {
  return chat.fromBot().filter((message) => (message.topic ?? 0) === topic);
}

/** The messages that show a request and can still be tapped; a send in doubt may have left more than one. */
function liveCards(place: Place, { about }: Pick<PlannedAsk, "about">): SeenMessage[] {
  return saidIn(place).filter(({ text, buttons }) => text.includes(about) && buttons.flat().some(decides));
}

/** True when the final answer is where the prompt was written. */
export function isAnswered(place: Place, { answer }: Pick<PlannedPrompt, "answer">): boolean {
  return saidIn(place).some(({ text }) => text.includes(answer));
}

function decides({ text }: { text: string }): boolean {
  return text === "Deny" || text === "Left";
}

function say({ ann }: Stage, { chat, topic }: Place, text: string): void {
  ann.sends(chat, text, topic === 0 ? {} : { topic });
}

async function remark(stage: Stage, storm: Storm, place: Place, prompt: PlannedPrompt): Promise<void> {
  if (prompt.remark === undefined) return;
  await moment(storm, prompt.remark.at);
  say(stage, place, prompt.remark.words);
}

async function answerAll(
  stage: Stage,
  storm: Storm,
  place: Place,
  asks: readonly PlannedAsk[],
): Promise<PlayedAsk[]> {
  const played: PlayedAsk[] = [];
  for (const ask of asks) {
    const seen = await stage.telegram.until(
      () => liveCards(place, ask).at(-1),
      `a card about "${ask.about}" with buttons`,
    );
    const taps: MadeTap[] = [];
    for (const planned of [ask.first, ...ask.more]) {
      await moment(storm, planned.at);
      // People also tap what they saw before, whatever it says by now.
      const card = planned.card === "first seen" ? seen : (liveCards(place, ask).at(-1) ?? seen);
      const tap = stage.ann.taps(card, planned.button);
      taps.push({ button: planned.button, card: card.id, tap });
    }
    played.push({ ask, place, taps });
  }
  return played;
}

async function moment(storm: Storm, when: When): Promise<void> {
  if (when === "at death") await storm.nextDeath();
  else await delay(when.ms);
}
