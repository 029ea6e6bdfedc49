import { denial } from "./denial.ts";

/** How often a plan was sent back for an outline, and when; kept with the thread, so that it outlives every session. */
export type PlanGate = {
  pauses: number;
  pausedAt?: number;
  /** Automatic denials in a row since the last time a person was asked. */
  denials: number;
  /** What the main agent wrote since the pause. */
  outline: string;
  /** The plan that was paused; a changed one counts as an outline too. */
  pausedPlan: string;
};

export const openGate: PlanGate = { pauses: 0, denials: 0, outline: "", pausedPlan: "" };

/** "first": never paused; "outlined": the outline is there; "again": paused, no outline, and the wait is over. */
export type PlanStage = "first" | "outlined" | "again";

export type GateVerdict =
  | { kind: "ask"; stage: PlanStage; gate: PlanGate }
  | { kind: "deny"; message: string; gate: PlanGate };

const STEP_MS = 30_000;
const LONGEST_MS = 120_000;
const OUTLINE_CHARACTERS = 200;
/** A model that keeps asking would lock its owner out; after this many the person is asked all the same. */
const DENIALS_IN_A_ROW = 3;

export const OUTLINE_PLEASE = denial(
  "They want to see the plan first. Do not call ExitPlanMode yet. " +
    "Write the plan as a step-by-step outline in a normal text message: each step, the files it touches, and why. " +
    "Then call ExitPlanMode again.",
);

export const DISCUSS_PLEASE = denial(
  "They want to talk the plan over before they approve it. Stay in plan mode, and do not call ExitPlanMode now: " +
    "say in a few sentences what you propose and why, name the choices that are still open, and ask what to change.",
);

/** How long after a pause a plan without an outline is sent back: 30 s, 60 s, 90 s, then 120 s. */
export function cooldownMs(pauses: number): number {
  return Math.min(STEP_MS * pauses, LONGEST_MS);
}

/** What is left of the wait; a pause in the future (a clock set back) counts as over. */
export function remainingMs(gate: PlanGate, now: number): number {
  if (gate.pausedAt === undefined || gate.pausedAt > now) return 0;
  return Math.max(0, gate.pausedAt + cooldownMs(gate.pauses) - now);
}

/** Decides what becomes of an ExitPlanMode: a person is asked, or Claude is sent back for the outline. */
export function judgePlan(gate: PlanGate, plan: string, now: number): GateVerdict {
  if (gate.pauses === 0) return { kind: "ask", stage: "first", gate };
  if (hasOutline(gate, plan)) return { kind: "ask", stage: "outlined", gate: { ...gate, denials: 0 } };
  if (remainingMs(gate, now) > 0 && gate.denials < DENIALS_IN_A_ROW) {
    return {
      kind: "deny",
      // The wait begins anew with this denial, so what was left of the old one would mislead Claude.
      message: tooSoon(cooldownMs(gate.pauses)),
      gate: { ...gate, pausedAt: now, denials: gate.denials + 1 },
    };
  }
  return { kind: "ask", stage: "again", gate: { ...gate, denials: 0 } };
}

/** The person pressed Pause & Outline Plan: the wait grows, and the outline counts from here. */
export function pausePlan(gate: PlanGate, plan: string, now: number): PlanGate {
  return { pauses: gate.pauses + 1, pausedAt: now, denials: 0, outline: "", pausedPlan: plan };
}

/** Text of the main agent; it counts only while a pause waits for an outline. */
export function hearText(gate: PlanGate, text: string): PlanGate {
  if (gate.pauses === 0) return gate;
  return { ...gate, outline: gate.outline === "" ? text : `${gate.outline}\n\n${text}` };
}

/** True once Claude wrote an outline since the pause, or came back with another plan of that length. */
export function hasOutline(gate: PlanGate, plan: string): boolean {
  if (gate.pauses === 0) return false;
  const changedPlan = plan.trim() !== gate.pausedPlan.trim() && plan.trim().length >= OUTLINE_CHARACTERS;
  return changedPlan || gate.outline.trim().length >= OUTLINE_CHARACTERS;
}

function tooSoon(waitMs: number): string {
  return `${OUTLINE_PLEASE} (Sent back automatically: no outline was written since the pause. Wait: ${waitMs / 1000} s.)`;
}
