import { refuse } from "../claude/frames.ts";
import { noTasks, type Tasks } from "../claude/tasks.ts";
import { toolView } from "../claude/tools.ts";
import { type Translation, translate } from "../claude/translate.ts";
import { parseLine } from "../claude/wire.ts";
import type { AgentEvent } from "../core/agent-event.ts";
import type { ProcessId, SessionId } from "../core/ids.ts";
import { hearText } from "../core/plan-gate.ts";
import { startsWithSlash } from "../core/prompt-text.ts";
import { advance, noWork, type Work, type WorkFacts } from "../core/work.ts";
import type { Prompt } from "../store/prompts.ts";
import type { Session } from "../store/sessions.ts";
import { takeAsk, withdrawRequest } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import { modeRefused } from "./modes.ts";
import { takePlan } from "./plans.ts";
import { finishTurn } from "./results.ts";
import { tellRetry } from "./retries.ts";
import { settleStopped } from "./stopped-turn.ts";
import { swallowed } from "./swallowed.ts";
import { openTurn } from "./turns.ts";

/** One process's output, as far as it has been read. */
export type Reading = { processId: ProcessId; sessionId: SessionId } & Folded;

/** What the lines so far add up to. */
export type Folded = { work: Work; tasks: Tasks };

export const nothingYet: Folded = { work: noWork, tasks: noTasks };

/**
 * Takes whole lines of a process's output: what they cause and how far was read is one transaction, so that a crash
 * repeats nothing and loses nothing. Nothing here waits, neither for a person nor for Telegram.
 */
export function ingest(desk: Desk, reading: Reading, batch: { lines: string[]; endOffset: number }): void {
  const folded = desk.store.transaction(() => {
    let { work, tasks } = reading;
    for (const line of batch.lines) {
      const read = readLine(desk, reading, line, tasks);
      tasks = read.tasks;
      if (read.sessionId !== undefined) desk.store.sessions.named(reading.sessionId, read.sessionId);
      for (const event of read.events) work = takeAlone(desk, reading, event, work);
    }
    desk.store.processes.readTo(reading.processId, batch.endOffset);
    return { work, tasks };
  });
  // Only now: a transaction that failed must leave the state as it was, for its lines come again.
  Object.assign(reading, folded);
  desk.wake.progress(reading.sessionId);
}

/** Folds lines that were taken before a restart, with no effect but the state they leave behind. */
export function refold(desk: Desk, sessionId: SessionId, folded: Folded, lines: readonly string[]): Folded {
  const facts = factsOf(desk, sessionId);
  let { work, tasks } = folded;
  for (const line of lines) {
    // A line that could not be taken then cannot be folded now; its neighbours can.
    try {
      const read = translate(parseLine(line), tasks);
      work = read.events.reduce((state, event) => advance(state, event, facts), work);
      tasks = read.tasks;
    } catch (error) {
      desk.log.warn("claude.line_not_refolded", { error });
    }
  }
  return { work, tasks };
}

/** A line that nobody can make sense of is said and passed over; those beside it count. */
function readLine(desk: Desk, reading: Reading, line: string, tasks: Tasks): Translation {
  const wire = parseLine(line);
  if (wire.kind === "garbage") desk.log.warn("claude.bad_line", { head: wire.head });
  if (wire.kind === "unknown") desk.log.info("claude.unknown_type", { type: wire.type });
  try {
    return translate(wire, tasks);
  } catch (error) {
    desk.log.error("claude.line_failed", { process: reading.processId, head: line.slice(0, 80), error });
    return { events: [], tasks };
  }
}

/** Claude reads in order, and echoes everything but its own slash commands: those in front of this one are done. */
function passOver(desk: Desk, processId: ProcessId, taken: Prompt): void {
  for (const prompt of desk.store.prompts.ofProcess(processId, "sent")) {
    if (prompt.createdAt <= taken.createdAt && startsWithSlash(prompt.text))
      desk.store.prompts.move(prompt.id, "done");
  }
}

function factsOf(desk: Desk, sessionId: SessionId): WorkFacts {
  const project = desk.config.projects.get(desk.store.sessions.get(sessionId).project)?.path ?? "/";
  return { at: desk.clock(), titleOf: (tool, input) => toolView(tool, input, project).title };
}

/** An event that fails takes nothing else with it; but no question may hang, and no answer get lost, because of it. */
function takeAlone(desk: Desk, reading: Reading, event: AgentEvent, before: Work): Work {
  try {
    return desk.store.transaction(() => {
      const after = advance(before, event, factsOf(desk, reading.sessionId));
      take(desk, reading, event, { before, after });
      return after;
    });
  } catch (error) {
    desk.log.error("claude.event_failed", { kind: event.kind, error });
    return takePlainly(desk, reading, event, before);
  }
}

/** The least that must happen, with nothing in it that could fail the same way again. */
function takePlainly(desk: Desk, reading: Reading, event: AgentEvent, work: Work): Work {
  const { store } = desk;
  if (event.kind === "asked" || event.kind === "asked_unknown") {
    const wireId = event.kind === "asked" ? event.ask.wireId : event.wireId;
    store.processes.append(reading.processId, refuse(wireId, "Signoff could not show this request."));
    desk.wake.session(reading.sessionId);
  }
  if (event.kind !== "turn_ended") return work;
  const turn = store.turns.openOf(reading.sessionId);
  if (turn !== undefined) store.turns.close(turn.id, "failed", undefined, desk.clock());
  for (const prompt of store.prompts.ofProcess(reading.processId, "taken"))
    store.prompts.move(prompt.id, "done");
  desk.present.plain(store.sessions.get(reading.sessionId).threadId, event.end.text);
  const { turn: _over, ...rest } = work;
  return rest;
}

function take(desk: Desk, reading: Reading, event: AgentEvent, work: { before: Work; after: Work }): void {
  const { store } = desk;
  const session = store.sessions.get(reading.sessionId);
  const process = store.processes.get(reading.processId);
  // Nobody follows a session any more that is being ended; only what it cost still counts.
  if (process.state === "ending" && LEFT_UNSAID.has(event.kind)) {
    if (event.kind === "turn_ended") store.sessions.addTotal(session.id, event.end.totalCostUsd);
    return;
  }
  // Claude began to work while no turn of ours was open: a background task, a cron or a wake-up started it.
  const begins = work.before.turn === undefined && work.after.turn !== undefined;
  if (begins && process.state !== "ending" && store.turns.openOf(session.id) === undefined) {
    openTurn(desk, session, "background");
  }
  switch (event.kind) {
    case "session_started":
      if (event.model !== undefined) store.sessions.setModel(session.id, event.model);
      if (event.mode !== undefined) store.sessions.setMode(session.id, event.mode);
      return;
    case "mode_changed":
      store.sessions.setMode(session.id, event.mode);
      return;
    case "prompt_taken": {
      const prompt = store.prompts.get(event.promptId);
      if (prompt === undefined || !store.prompts.taken(prompt.id)) return;
      passOver(desk, reading.processId, prompt);
      // A prompt that runs is echoed inside its turn. An echo outside of one says that Claude had begun with it before it
      // was killed, and will not do it again.
      if (work.before.turn === undefined) {
        swallowed(desk, session, prompt, work.after);
        return;
      }
      // The prompt that opened the turn is seen in the progress; one that came later shows that it was read.
      const turn = store.turns.openOf(session.id);
      const steers = turn !== undefined && turn.startedAt < prompt.createdAt;
      if (steers && prompt.messageId !== undefined)
        desk.present.react(prompt.threadId, prompt.messageId, "👌");
      return;
    }
    case "text": {
      if (event.agentId !== undefined) return;
      const { gate } = store.threads.get(session.threadId);
      const heard = hearText(gate, event.text);
      if (heard !== gate) store.threads.setGate(session.threadId, heard);
      return;
    }
    case "asked":
      if (store.requests.byWire(reading.processId, event.ask.wireId) !== undefined) return;
      if (event.ask.tool === "ExitPlanMode")
        takePlan(desk, session, reading.processId, event.ask, work.after);
      else takeAsk(desk, session, reading.processId, event.ask);
      return;
    case "withdrawn":
      withdrawRequest(desk, reading.processId, event.wireId);
      return;
    case "asked_unknown":
      store.processes.append(
        reading.processId,
        refuse(event.wireId, `Signoff does not know "${event.subtype}".`),
      );
      desk.log.info("claude.unknown_request", { subtype: event.subtype });
      store.audit.add({
        at: desk.clock(),
        who: "policy",
        what: "deny",
        subject: `unknown request ${event.subtype}`.slice(0, 200),
        rule: "unknown request",
        threadId: session.threadId,
        sessionId: session.id,
      });
      desk.wake.session(session.id);
      return;
    case "retrying":
      tellRetry(desk, session, event);
      return;
    case "turn_ended":
      finishTurn(desk, session, reading.processId, event.end, work.before);
      return;
    case "unknown":
      desk.log.info("claude.unknown", { what: event.what });
      return;
    case "replied":
      takeReply(desk, session, reading.processId, event, work.after);
      return;
    case "thinking":
    case "tool_started":
    case "tool_ended":
    case "background":
    case "compacted":
      return;
  }
}

const LEFT_UNSAID: ReadonlySet<AgentEvent["kind"]> = new Set(["turn_ended", "retrying", "prompt_taken"]);

/** Claude echoes our answers to its own requests too; only replies to ours count. */
function takeReply(
  desk: Desk,
  session: Session,
  processId: ProcessId,
  event: AgentEvent & { kind: "replied" },
  work: Work,
): void {
  const what = desk.store.awaited.replied(processId, event.wireId);
  if (what === "interrupt") settleStopped(desk, session.id, work);
  if (what?.startsWith("mode ") && !event.reply.ok)
    modeRefused(desk, session, what.slice("mode ".length), work.mode);
}
