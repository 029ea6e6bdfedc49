import { type Step, script } from "../model/script.ts";
import { type Chance, chance } from "../random.ts";
import { drawMoment, type KillMoment } from "./kill-moment.ts";

/** All that a storm does, drawn from one seed: when the bot is killed, what is asked in each thread, what is tapped. */
export type StormPlan = { kills: KillMoment[]; threads: PlannedPrompt[][] };

/** One prompt of a thread; it is sent once so many kills are over and the thread's last answer is in the chat. */
export type PlannedPrompt = {
  /** What it is known by: in the words put to the model, and in the answer. */
  words: string;
  answer: string;
  /** The message, with the script for the model in it. */
  text: string;
  afterKills: number;
  at: When;
  asks: PlannedAsk[];
  /** A word that is thrown in while the prompt is worked on: it steers, is held, or becomes a turn of its own. */
  remark?: { words: string; at: When };
};

/** A request that Claude makes on the way. The first tap is to decide; all others are to change nothing. */
export type PlannedAsk = {
  kind: "command" | "question";
  /** What its card is known by. */
  about: string;
  first: PlannedTap;
  more: PlannedTap[];
};

export type PlannedTap = { button: Button; at: When; card: "first seen" | "newest" };
export type Button = "Allow" | "Deny" | "Left" | "Right";

/** So long after the step before it, or at the next death of the bot, while it cannot hear. */
export type When = { ms: number } | "at death";

/** The file to which every allowed command adds its line. */
export const EFFECTS = "effects.txt";

/** Draws a storm. Each part has chances of its own, so that one more prompt does not change all kills. */
export function planStorm(
  seed: number,
  size: { kills: number; threads: number; promptsEach: number },
): StormPlan {
  const kills = chance(seed);
  const spacing = (size.kills - 6) / size.promptsEach;
  return {
    kills: Array.from({ length: size.kills }, () => drawMoment(kills)),
    threads: Array.from({ length: size.threads }, (_thread, thread) => {
      const luck = chance(seed * 1_000 + thread + 1);
      return Array.from({ length: size.promptsEach }, (_prompt, index) =>
        drawPrompt(luck, `${letter(thread)}${index + 1}`, Math.floor(index * spacing) + luck.below(3)),
      );
    }),
  };
}

function drawPrompt(luck: Chance, name: string, afterKills: number): PlannedPrompt {
  const words = `Do task-${name}.`;
  const answer = `Task-${name} is over.`;
  const kind = luck.pick(["plain", "command", "command", "two commands", "two at once", "question"] as const);
  const tools = toolsOf(kind, name);
  const hold = luck.below(2) === 0 ? { delayMs: luck.below(1_500) } : {};
  const asking: Step[] =
    kind === "two at once"
      ? [{ tools: tools.map((one) => one.tool) }]
      : tools.map((one) => ({ tools: [one.tool] }));
  // A text that comes while a question waits would be its answer.
  const remarked = kind !== "question" && luck.below(3) === 0;
  return {
    words,
    answer,
    text: script([...asking, { ...hold, text: answer }], words),
    afterKills,
    at: drawWhen(luck),
    asks: tools.map(({ kind: asked, about }) => drawAsk(luck, asked, about)),
    ...(remarked ? { remark: { words: `Mind remark-${name}.`, at: drawWhen(luck) } } : {}),
  };
}

type Asking = { kind: PlannedAsk["kind"]; about: string; tool: NonNullable<Step["tools"]>[number] };

function toolsOf(
  kind: "plain" | "command" | "two commands" | "two at once" | "question",
  name: string,
): Asking[] {
  switch (kind) {
    case "plain":
      return [];
    case "command":
      return [command(`${name}-only`)];
    case "two commands":
    case "two at once":
      return [command(`${name}-first`), command(`${name}-second`)];
    case "question":
      return [question(`Which way for ${name}-question?`)];
  }
}

function command(line: string): Asking {
  const command = `echo ${line} >> ${EFFECTS}`;
  return { kind: "command", about: command, tool: { name: "Bash", input: { command } } };
}

function question(words: string): Asking {
  const options = ["Left", "Right"].map((label) => ({ label, description: "A way" }));
  const questions = [{ question: words, header: "Way", multiSelect: false, options }];
  return { kind: "question", about: words, tool: { name: "AskUserQuestion", input: { questions } } };
}

const BUTTONS = {
  command: ["Allow", "Allow", "Deny"],
  question: ["Left", "Right"],
} as const satisfies Record<PlannedAsk["kind"], readonly Button[]>;

function drawAsk(luck: Chance, kind: PlannedAsk["kind"], about: string): PlannedAsk {
  const first = drawTap(luck, kind);
  return { kind, about, first, more: Array.from({ length: luck.below(3) }, () => drawTap(luck, kind)) };
}

function drawTap(luck: Chance, kind: PlannedAsk["kind"]): PlannedTap {
  return { button: luck.pick(BUTTONS[kind]), at: drawWhen(luck), card: luck.pick(["first seen", "newest"]) };
}

function drawWhen(luck: Chance): When {
  switch (luck.below(4)) {
    case 0:
      return "at death";
    case 1:
      return { ms: 0 };
    default:
      return { ms: luck.below(1_200) };
  }
}

function letter(index: number): string {
  return String.fromCharCode("a".charCodeAt(0) + index);
}
