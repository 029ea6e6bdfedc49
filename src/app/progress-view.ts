import type { Activity, ProgressView } from "../core/view.ts";
import type { Step, Work } from "../core/work.ts";
import type { Turn } from "../store/turns.ts";
import type { Desk } from "./desk.ts";
import { isShown } from "./requests.ts";

/** What a turn's progress card says now. */
export function progressView(
  desk: Desk,
  turn: Turn,
  work: Work,
  ended?: NonNullable<ProgressView["ended"]>,
): ProgressView {
  const session = desk.store.sessions.get(turn.sessionId);
  const mode = work.mode ?? session.mode;
  return {
    kind: "progress",
    turnId: turn.id,
    activity: activityOf(desk, turn, work),
    steps: (work.turn?.steps ?? []).map(stepView),
    earlier: work.turn?.earlier ?? 0,
    elapsedMs: desk.clock() - turn.startedAt,
    ...(work.turn?.saying === undefined ? {} : { saying: work.turn.saying }),
    background: work.background.map((task) => task.description),
    project: session.project,
    ...(mode === undefined ? {} : { mode }),
    ...(ended === undefined ? {} : { ended }),
  };
}

/** One state at a time, the one that most needs to be known first. */
function activityOf(desk: Desk, turn: Turn, work: Work): Activity {
  const waiting = desk.store.requests
    .waitingIn(turn.threadId)
    .filter((request) => request.sessionId === turn.sessionId && isShown(request));
  if (waiting.length > 0) return { kind: "waiting", count: waiting.length };
  const retry = work.turn?.retry;
  if (retry !== undefined) {
    const { attempt, maxRetries, until } = retry;
    return { kind: "retrying", attempt, maxRetries, until, why: whyRetry(retry.status, retry.error) };
  }
  const running = work.turn?.steps.findLast((step) => step.state === "running");
  if (running !== undefined) return { kind: "tool", title: `${running.tool} · ${running.title}` };
  return work.turn === undefined ? { kind: "starting" } : { kind: "thinking" };
}

/** In words, because a number says nothing to somebody on the bus. */
function whyRetry(status: number | undefined, error: string | undefined): string {
  if (status === 401 || status === 403) return "the API refused the login";
  if (status === 429) return "the rate limit is reached";
  if (status === 529) return "the API is overloaded";
  return status === undefined ? (error ?? "the API cannot be reached") : `the API answered ${status}`;
}

function stepView(step: Step): ProgressView["steps"][number] {
  return {
    name: step.tool,
    title: step.title,
    state: step.state,
    ...(step.agentId === undefined ? {} : { agent: step.agentId }),
  };
}
