import { afterEach, expect, onTestFailed, test } from "vitest";
import type { SeenMessage } from "../support/bot-api/seen-message.ts";
import { eventually } from "../support/eventually.ts";
import { toolResultsOf } from "../support/model/request.ts";
import { type Stage, setStage } from "../support/stage.ts";
import {
  effects,
  endedRequests,
  isQuiet,
  knownCards,
  misfortunes,
  processesAround,
  timesRead,
} from "../support/storm/aftermath.ts";
import { type Button, planStorm } from "../support/storm/plan.ts";
import { isAnswered, type Place, type PlayedAsk, playThread, saidIn } from "../support/storm/play-thread.ts";
import { type Storm, startStorm } from "../support/storm/storm.ts";

const seed = Number(process.env["SIGNOFF_STORM_SEED"] ?? 20_261);
const KILLS = 52;
const PROMPTS_EACH = 5;
/** What a call to Telegram takes; a kill in between leaves it in doubt. */
const LATENCY_MS = 40;

let stage: Stage;
let storm: Storm | undefined;
afterEach(async () => {
  await storm?.end();
  await stage.close();
});

test(`a storm of kill -9 loses nothing and does nothing twice (seed ${seed})`, {
  timeout: 240_000,
}, async () => {
  stage = await setStage({ patienceMs: 150_000 });
  onTestFailed(() => {
    process.stderr.write(`${storyOf(storm)}\n`);
  });
  const places = await openPlaces(stage);
  const plan = planStorm(seed, { kills: KILLS, threads: places.length, promptsEach: PROMPTS_EACH });
  const threads = places.map((place, index) => ({ place, prompts: plan.threads[index] ?? [] }));
  const prompts = threads.flatMap((thread) => thread.prompts);
  stage.telegram.faults.always("*", { kind: "slow", ms: LATENCY_MS });

  const raging = startStorm(stage, plan.kills);
  storm = raging;
  const playing = threads.map(({ place, prompts: own }) => playThread(stage, raging, place, own));
  const [played] = await Promise.all([Promise.all(playing), raging.over]);
  const asks = played.flat();
  await eventually(() => isQuiet(stage), "everything to be sent and settled", 90_000);
  expect(raging.kills()).toBe(KILLS);
  expect(raging.logs().flatMap(errorLines)).toEqual([]);
  expect(misfortunes(stage)).toEqual([]);

  // No prompt is lost, none is done twice, and every answer is where it was asked for.
  const words = prompts.flatMap((prompt) => [prompt.words, ...(prompt.remark ? [prompt.remark.words] : [])]);
  expect(words.map((text) => `${text} ${timesRead(stage, text)}`)).toEqual(words.map((text) => `${text} 1`));
  for (const { place, prompts: own } of threads) {
    expect(own.filter((prompt) => !isAnswered(place, prompt))).toEqual([]);
  }

  // No request is lost, and each has one decision, that of the first tap. A bot that dies after it shows no toast; a
  // toast that is shown tells the truth.
  expect(asks).toHaveLength(prompts.flatMap((prompt) => prompt.asks).length);
  const expected = asks.map((one) => ({ about: one.ask.about, state: "decided", ...decisionOf(one).row }));
  expect(endedRequests(stage)).toEqual(expected.toSorted((a, b) => (a.about < b.about ? -1 : 1)));
  for (const one of asks) {
    const { toast, already } = decisionOf(one);
    const shown = one.taps.map(({ tap }) => tap.answer()?.text);
    const truth = shown.map((_, index) => (index === 0 ? toast : already));
    expect(shown, one.ask.about).toEqual(truth.map((text, index) => shown[index] && text));
  }

  // What was allowed happened once, what was denied never, and Claude read the very answers that were tapped.
  const allowed = asks.filter((one) => firstButton(one) === "Allow");
  expect(effects(stage)).toEqual(allowed.map(({ ask }) => effectOf(ask.about)).toSorted());
  const results = stage.model.requests().flatMap(toolResultsOf);
  for (const one of asks.filter(({ ask }) => ask.kind === "question")) {
    const answer = `"${one.ask.about}"="${firstButton(one)}"`;
    expect(results.some(({ text }) => text.includes(answer))).toBe(true);
  }

  // Every card that the bot knows says how it ended, and so does every other one that was tapped. What is left are doubles:
  // a send in doubt is repeated, and nobody told the bot the id of the first message. A tap ends those too.
  const known = knownCards(stage);
  const tapped = new Set(
    asks.flatMap(({ place, taps }) => taps.map(({ card }) => `${place.chat.id}:${card}`)),
  );
  const doubles = withButtons(places);
  const alive = doubles.filter((card) => known.has(nameOf(card)) || tapped.has(nameOf(card)));
  expect(alive).toEqual([]);
  for (const card of doubles) {
    const { text } = await stage.ann.taps(card, (button) => button.text !== "").toast();
    expect(text).toMatch(
      /^(Already (allowed|denied|answered) by Ann\.|That turn is over\.|That message is not waiting)/,
    );
  }
  await stage.telegram.until(() => withButtons(places).length === 0, "every double to end");

  const stopped = await stage.signoff("stop", "--all");
  expect(stopped.code).toBe(0);
  expect(await stage.marked()).toEqual([]);
  expect(processesAround(stage)).toEqual([]);
});

/** A private chat, two topics of a forum, and a plain group. */
async function openPlaces({ telegram, ann, chat, ...staged }: Stage): Promise<Place[]> {
  const group = (id: number, forum: boolean) =>
    telegram.group({ id, forum, members: [ann], bot: "administrator" });
  const [forum, plain] = [group(-1_001, true), group(-1_002, false)];
  const bot = await staged.start();
  for (const one of [forum, plain]) {
    ann.sends(one, "/enable");
    const card = await one.untilMessage("Everybody in this group");
    await ann.taps(card, "Enable here").toast();
    // It keeps its button, which has nothing to do with the storm.
    one.deleteMessage(card);
  }
  await bot.kill();
  return [
    { chat, topic: 0 },
    { chat: forum, topic: ann.createsTopic(forum, "North") },
    { chat: forum, topic: ann.createsTopic(forum, "South") },
    { chat: plain, topic: 0 },
  ];
}

function firstButton({ taps, ask }: PlayedAsk): Button {
  return taps[0]?.button ?? ask.first.button;
}

/** What the first tap must have led to: in the rows, in its own toast, and in the toasts of all taps after it. */
function decisionOf(played: PlayedAsk) {
  switch (firstButton(played)) {
    case "Allow":
      return {
        row: { outcome: "allowed", audited: "allow" },
        toast: "Allowed",
        already: "Already allowed by Ann.",
      };
    case "Deny":
      return {
        row: { outcome: "denied", audited: "deny" },
        toast: "Denied",
        already: "Already denied by Ann.",
      };
    case "Left":
    case "Right":
      return {
        row: { outcome: "answered", audited: "answer" },
        toast: "Answered",
        already: "Already answered by Ann.",
      };
  }
}

/** The line that a command adds to the file of effects. */
function effectOf(command: string): string {
  return command.split(" ")[1] ?? "";
}

function withButtons(places: readonly Place[]): SeenMessage[] {
  return places.flatMap(saidIn).filter(({ buttons }) => buttons.length > 0);
}

function nameOf({ chatId, id }: SeenMessage): string {
  return `${chatId}:${id}`;
}

function errorLines(log: string): string[] {
  return log.split("\n").filter((line) => /^\S+ error /.test(line));
}

/** What helps to understand a failure. */
function storyOf(raged: Storm | undefined): string {
  const [kills, logs] = [raged?.report() ?? [], raged?.logs() ?? []];
  return [`Seed ${seed}`, ...kills, "The last three bots said:", ...logs.slice(-3)].join("\n");
}
