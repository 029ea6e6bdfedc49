import type { AgentEvent, BackgroundTask, JsonObject, PermissionMode } from "./agent-event.ts";
import { isDenial } from "./denial.ts";

/** What one process of Claude's is doing, folded from its events. It can be folded again from the log at any time. */
export type Work = {
  turn?: TurnWork;
  model?: string;
  mode?: PermissionMode;
  background: BackgroundTask[];
  /** Crons, by the result that named each: they stand in no task list, and die with the process. */
  crons: string[];
  /** Until when Claude may wake up by itself. */
  wakeUntil?: number;
  /** Calls whose outcome matters after their turn: tool use → what was called. */
  scheduling: Record<string, { tool: string; input: JsonObject }>;
};

/** One turn, while it runs. */
export type TurnWork = {
  steps: Step[];
  earlier: number;
  saying?: string;
  retry?: { attempt: number; maxRetries: number; until: number; status?: number; error?: string };
  /** Plans passed to ExitPlanMode by the model itself: some CLIs leave them out of the request. */
  plans: Record<string, string>;
};
export type Step = { toolUseId: string; tool: string; title: string; state: StepState; agentId?: string };
export type StepState = "running" | "ok" | "failed" | "denied";

export const noWork: Work = { background: [], crons: [], scheduling: {} };

const STEPS_KEPT = 6;
const SCHEDULERS: ReadonlySet<string> = new Set(["CronCreate", "CronDelete", "ScheduleWakeup"]);
/** How Claude words, in a result that is no failure, that it will not wake up. */
const NO_WAKE_UP = "Wakeup not scheduled";

export type WorkFacts = {
  at: number;
  titleOf: (tool: string, input: JsonObject) => string;
};

/** Folds one event into the state; pure, so that a restart can replay the whole log. */
export function advance(work: Work, event: AgentEvent, facts: WorkFacts): Work {
  switch (event.kind) {
    case "session_started":
      return {
        ...begin(work),
        ...(event.model === undefined ? {} : { model: event.model }),
        ...(event.mode === undefined ? {} : { mode: event.mode }),
      };
    case "mode_changed":
      return { ...work, mode: event.mode };
    case "background":
      return { ...work, background: event.tasks };
    case "thinking":
      return event.agentId === undefined ? inTurn(begin(work), calm) : work;
    case "text":
      if (event.agentId !== undefined) return work;
      return inTurn(begin(work), (turn) => ({ ...calm(turn), saying: event.text }));
    case "tool_started":
      return toolStarted(event.agentId === undefined ? begin(work) : work, event, facts);
    case "tool_ended":
      return toolEnded(work, event, facts);
    case "retrying":
      return inTurn(begin(work), (turn) => ({ ...turn, retry: retryOf(event, facts.at) }));
    case "turn_ended": {
      const { turn: _over, ...rest } = work;
      return rest;
    }
    case "prompt_taken":
    case "asked":
    case "withdrawn":
    case "asked_unknown":
    case "replied":
    case "compacted":
    case "unknown":
      return work;
  }
}

/** True when ending the process would lose nothing: no turn, no task, nothing that would start a turn by itself. */
export function isIdle(work: Work, now: number): boolean {
  return work.turn === undefined && work.background.length === 0 && !isScheduled(work, now);
}

/** Claude will start a turn by itself. */
export function isScheduled(work: Work, now: number): boolean {
  return work.crons.length > 0 || (work.wakeUntil ?? 0) > now;
}

/** A turn that begins while none runs. */
function begin(work: Work): Work {
  return work.turn === undefined ? { ...work, turn: { steps: [], earlier: 0, plans: {} } } : work;
}

function inTurn(work: Work, change: (turn: TurnWork) => TurnWork): Work {
  return work.turn === undefined ? work : { ...work, turn: change(work.turn) };
}

/** Whatever Claude does next shows that the API answered again. */
function calm(turn: TurnWork): TurnWork {
  const { retry: _over, ...rest } = turn;
  return rest;
}

function toolStarted(work: Work, event: AgentEvent & { kind: "tool_started" }, facts: WorkFacts): Work {
  const scheduling = SCHEDULERS.has(event.tool)
    ? { ...work.scheduling, [event.toolUseId]: { tool: event.tool, input: event.input } }
    : work.scheduling;
  const step: Step = {
    toolUseId: event.toolUseId,
    tool: event.tool,
    title: facts.titleOf(event.tool, event.input),
    state: "running",
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
  };
  const plan = event.tool === "ExitPlanMode" ? event.input["plan"] : undefined;
  return inTurn({ ...work, scheduling }, (turn) => {
    const steps = [...turn.steps, step];
    return {
      ...calm(turn),
      steps: steps.slice(-STEPS_KEPT),
      earlier: turn.earlier + Math.max(0, steps.length - STEPS_KEPT),
      plans: typeof plan === "string" ? { ...turn.plans, [event.toolUseId]: plan } : turn.plans,
    };
  });
}

function toolEnded(work: Work, event: AgentEvent & { kind: "tool_ended" }, facts: WorkFacts): Work {
  const state: StepState = !event.failed ? "ok" : isDenial(event.output) ? "denied" : "failed";
  const stepped = inTurn(work, (turn) => ({
    ...turn,
    steps: turn.steps.map((step) => (step.toolUseId === event.toolUseId ? { ...step, state } : step)),
  }));
  const call = Object.hasOwn(work.scheduling, event.toolUseId) ? work.scheduling[event.toolUseId] : undefined;
  return call === undefined ? stepped : scheduled(stepped, call, event, facts.at);
}

function scheduled(
  work: Work,
  call: { tool: string; input: JsonObject },
  event: AgentEvent & { kind: "tool_ended" },
  at: number,
): Work {
  const { [event.toolUseId]: _done, ...scheduling } = work.scheduling;
  const settled = { ...work, scheduling };
  if (event.failed) return settled;
  switch (call.tool) {
    case "ScheduleWakeup": {
      if (event.output.startsWith(NO_WAKE_UP)) return settled;
      const { delaySeconds } = call.input;
      return awake(settled, at + (typeof delaySeconds === "number" ? delaySeconds * 1_000 : HOUR_MS));
    }
    case "CronCreate":
      // One that fires once is over after it, and only its text says when; a day is as long as most are for.
      if (call.input["recurring"] === false) return awake(settled, at + 24 * HOUR_MS);
      // The id of a cron is told only in the text of the result, so that text is kept to find it again at its deletion.
      return { ...settled, crons: [...work.crons, event.output] };
    default: {
      const { id } = call.input;
      return typeof id === "string"
        ? { ...settled, crons: work.crons.filter((cron) => !cron.includes(id)) }
        : settled;
    }
  }
}

const HOUR_MS = 3_600_000;
/** Claude is never quite punctual. */
const LATENESS_MS = 120_000;

function awake(work: Work, until: number): Work {
  return { ...work, wakeUntil: Math.max(work.wakeUntil ?? 0, until + LATENESS_MS) };
}

function retryOf(event: AgentEvent & { kind: "retrying" }, at: number): NonNullable<TurnWork["retry"]> {
  return {
    attempt: event.attempt,
    maxRetries: event.maxRetries,
    until: at + event.delayMs,
    ...(event.status === undefined ? {} : { status: event.status }),
    ...(event.error === undefined ? {} : { error: event.error }),
  };
}
