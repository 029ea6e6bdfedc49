import type { Conversation, Message } from "./request.ts";
import { textsOf } from "./request.ts";

/** One answer of the scripted model, or an HTTP error in its place. */
export type Step = {
  text?: string;
  tools?: { name: string; input: Record<string, unknown> }[];
  /** An HTTP error instead of an answer; told `times` times (once unless said otherwise), then the script goes on. */
  status?: number;
  error?: string;
  message?: string;
  times?: number;
  /** Held until the test calls `model.open(name)`. A step with nothing but `wait` or `delayMs` holds the one after it. */
  wait?: string;
  delayMs?: number;
};

/** The prompt that makes the scripted model go through these steps, one answer each. */
export function script(steps: Step[], words = ""): string {
  return `${words}${words === "" ? "" : "\n"}${MARKER}${JSON.stringify(steps)}`;
}

const MARKER = "SCRIPT:";

/** Where a conversation stands in the script that its latest scripted prompt brought. */
export type Place = { steps: Answer[]; answered: number; key: string };

/** A step with the gates and delays that stand before it. */
export type Answer = Step & { gates: string[]; holdMs: number };

/** Finds the script that applies to a conversation, or nothing when there is none or a person interrupted it. */
export function placeOf(conversation: Conversation): Place | undefined {
  const { messages } = conversation;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role !== "user") continue;
    const texts = textsOf(message);
    const found = lastScript(texts);
    if (!found) continue;
    const later = messages.slice(at + 1);
    if ([...texts.slice(found.position + 1), ...later.flatMap(userTexts)].some(isInterruption))
      return undefined;
    return {
      steps: foldHolds(found.steps),
      answered: later.filter((one) => one.role === "assistant").length,
      key: `${conversation.sessionId}#${at}#${JSON.stringify(found.steps)}`,
    };
  }
  return undefined;
}

function lastScript(texts: string[]): { steps: Step[]; position: number } | undefined {
  for (let position = texts.length - 1; position >= 0; position--) {
    const steps = scriptsIn(texts[position] ?? "").at(-1);
    if (steps) return { steps, position };
  }
  return undefined;
}

// A script may hold another one, for a subagent, so the search goes on behind a script and never inside it.
function scriptsIn(text: string): Step[][] {
  const found: Step[][] = [];
  let from = 0;
  for (;;) {
    const at = text.indexOf(`${MARKER}[`, from);
    if (at < 0) return found;
    const start = at + MARKER.length;
    const end = endOfList(text, start);
    from = end;
    const steps: Step[] | undefined = parsed(text.slice(start, end));
    if (steps) found.push(steps);
  }
}

function endOfList(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "[") depth++;
    else if (char === "]" && --depth === 0) return at + 1;
  }
  return text.length;
}

function parsed(json: string): Step[] | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function foldHolds(steps: Step[]): Answer[] {
  const answers: Answer[] = [];
  let gates: string[] = [];
  let holdMs = 0;
  for (const step of steps) {
    if (step.wait !== undefined) gates.push(step.wait);
    holdMs += step.delayMs ?? 0;
    if (step.text === undefined && step.tools === undefined && step.status === undefined) continue;
    answers.push({ ...step, gates, holdMs });
    gates = [];
    holdMs = 0;
  }
  if (gates.length > 0 || holdMs > 0) answers.push({ gates, holdMs });
  return answers;
}

function userTexts(message: Message): string[] {
  return message.role === "user" ? textsOf(message) : [];
}

function isInterruption(text: string): boolean {
  return text.trimStart().startsWith("[Request interrupted by user");
}
