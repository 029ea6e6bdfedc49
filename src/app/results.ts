import { interrupt } from "../claude/frames.ts";
import type { TurnEnd } from "../core/agent-event.ts";
import type { ProcessId } from "../core/ids.ts";
import { startsWithSlash } from "../core/prompt-text.ts";
import type { AnswerView } from "../core/view.ts";
import type { Work } from "../core/work.ts";
import type { Prompt } from "../store/prompts.ts";
import type { Session } from "../store/sessions.ts";
import type { Turn } from "../store/turns.ts";
import { sendControl } from "./control.ts";
import type { Desk } from "./desk.ts";
import { notify } from "./notify.ts";
import { offerOutline } from "./plans.ts";
import { saysConversationLost } from "./process-end.ts";
import { addPrompt, queuePrompt } from "./prompt-queue.ts";
import { LOGIN_REMEDY } from "./retries.ts";
import { closeTurn, openTurn, openTurnIfAwaited } from "./turns.ts";

/** A result ends a turn, never the process. The answer becomes rows here and now, so it reaches the chat whatever dies. */
export function finishTurn(
  desk: Desk,
  session: Session,
  processId: ProcessId,
  end: TurnEnd,
  work: Work,
): void {
  const { store } = desk;
  // Such a process ends at once, and its end decides what becomes of the prompts (src/app/process-end.ts).
  if (end.turns === 0 && [end.text, ...end.errors].some(saysConversationLost)) return;
  const turn = store.turns.openOf(session.id) ?? openTurn(desk, session, "background");
  const taken = readPrompts(desk, processId, end);
  if (end.turns > 0) store.sessions.setConversation(session.id, "kept");
  for (const prompt of taken) store.prompts.move(prompt.id, "done");

  const how = turn.stoppedBy !== undefined ? "stopped" : end.ok ? "done" : "failed";
  const costUsd = closeTurn(desk, turn, how, work, end);
  store.sessions.touch(session.id, desk.clock());

  const swallowed =
    how === "done" && end.turns === 0 ? taken.find((prompt) => !startsWithSlash(prompt.text)) : undefined;
  if (swallowed !== undefined) sendOnceMore(desk, session, swallowed);
  else if (how === "stopped") goOnStopping(desk, session, processId, turn, end);
  else if (how === "failed") tellFailure(desk, session, end);
  else if (end.text.trim() === "" && taken[0] !== undefined && startsWithSlash(taken[0].text))
    tellCommandDone(desk, taken[0]);
  else if (!offerOutline(desk, session, processId, turn.id)) showAnswer(desk, session, turn, end, costUsd);

  // What was written meanwhile and not read yet becomes the next turn; it shows at once that it is not forgotten.
  openTurnIfAwaited(desk, session, processId);
  desk.wake.session(session.id);
}

/**
 * The prompts this turn was about. Claude echoes neither its own slash commands nor a prompt that fails before it
 * begins, so there the one in front counts as read.
 */
function readPrompts(desk: Desk, processId: ProcessId, end: TurnEnd): Prompt[] {
  const taken = desk.store.prompts.ofProcess(processId, "taken");
  if (taken.length > 0) return taken;
  const [first] = desk.store.prompts.ofProcess(processId, "sent");
  const isRead = first !== undefined && end.turns === 0 && (!end.ok || startsWithSlash(first.text));
  return isRead ? [first] : [];
}

function showAnswer(desk: Desk, session: Session, turn: Turn, end: TurnEnd, costUsd: number): void {
  const model = end.model ?? session.model;
  const view: AnswerView = {
    kind: "answer",
    markdown: end.text,
    footer: {
      durationMs: desk.clock() - turn.startedAt,
      costUsd,
      ...(model === undefined ? {} : { model }),
      ...(turn.origin === "background" ? { background: true } : {}),
    },
  };
  desk.present.show(session.threadId, view, { lane: "answer" });
}

/** What Claude had not read yet would run next; whoever stops means that too. */
function goOnStopping(desk: Desk, session: Session, processId: ProcessId, turn: Turn, end: TurnEnd): void {
  if (turn.stoppedBy === undefined || desk.store.prompts.ofProcess(processId, "sent").length === 0) {
    tellStopped(desk, turn, end);
    return;
  }
  desk.store.turns.stoppedBy(openTurn(desk, session, "prompt").id, turn.stoppedBy);
  sendControl(desk, desk.store.processes.get(processId), "interrupt", interrupt);
}

function tellStopped(desk: Desk, turn: Turn, end: TurnEnd): void {
  const said = end.ok && end.text.trim() !== "" ? ` Claude's last words: ${end.text.trim()}` : "";
  desk.present.show(
    turn.threadId,
    { kind: "notice", tone: "info", text: `Stopped by ${turn.stoppedBy}. Write to go on from here.${said}` },
    { lane: "answer" },
  );
}

/** A command of Claude's that says nothing has still been done. */
function tellCommandDone(desk: Desk, prompt: Prompt): void {
  notify(desk, prompt.threadId, { tone: "good", text: `${prompt.text.trim().split(/\s/)[0]} is done.` });
}

/** The result, not the exit code, holds the reason. */
function tellFailure(desk: Desk, session: Session, end: TurnEnd): void {
  const reason =
    [end.text, ...end.errors].map((text) => text.trim()).find((text) => text !== "") ?? end.subtype;
  const isLogin =
    end.apiErrorStatus === 401 || end.apiErrorStatus === 403 || /\/login|invalid api key/i.test(reason);
  const remedy = isLogin ? LOGIN_REMEDY : "Write again to go on; the conversation is kept.";
  desk.present.show(
    session.threadId,
    { kind: "notice", tone: "error", text: `Claude could not finish. ${remedy}`, code: reason },
    { lane: "answer" },
  );
}

/** A prompt that Claude took and did nothing with: it happens after a kill. A second time the person decides. */
function sendOnceMore(desk: Desk, session: Session, prompt: Prompt): void {
  const by = { id: prompt.authorId, name: prompt.author };
  if (prompt.tries <= 1) {
    const again = addPrompt(desk, { threadId: session.threadId, by, text: prompt.text, tries: prompt.tries });
    queuePrompt(desk, again);
    return;
  }
  desk.present.show(
    session.threadId,
    {
      kind: "notice",
      tone: "warning",
      text: "Claude took your message and did nothing with it, twice.",
      actions: [{ label: "Try again", tap: { verb: "retry", promptId: prompt.id } }],
    },
    { lane: "answer" },
  );
}
