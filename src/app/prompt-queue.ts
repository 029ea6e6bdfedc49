import type { PromptId, ThreadId } from "../core/ids.ts";
import type { Prompt } from "../store/prompts.ts";
import type { Request } from "../store/requests.ts";
import type { Person } from "../telegram/intent.ts";
import type { Desk } from "./desk.ts";
import { uuid } from "./new-id.ts";
import { isOutlineOnly, requestTitle } from "./requests.ts";
import { ensureSession } from "./thread-session.ts";
import { openTurn } from "./turns.ts";

/** Writes a prompt down, before anything is done with it. */
export function addPrompt(
  desk: Desk,
  prompt: {
    threadId: ThreadId;
    by: Person;
    text: string;
    messageId?: number;
    settleAt?: number;
    tries?: number;
  },
): Prompt {
  const { by, settleAt, messageId } = prompt;
  const row: Prompt = {
    id: uuid<PromptId>(),
    threadId: prompt.threadId,
    text: prompt.text,
    state: settleAt === undefined ? "queued" : "gathering",
    ...(messageId === undefined ? {} : { messageId }),
    author: by.name,
    authorId: by.id,
    ...(settleAt === undefined ? {} : { settleAt }),
    tries: prompt.tries ?? 0,
    createdAt: desk.clock(),
  };
  desk.store.prompts.add(row);
  return row;
}

/** Puts a prompt in line for Claude: it opens a turn, or steers the one that runs. */
export function queuePrompt(desk: Desk, prompt: Prompt): void {
  desk.store.prompts.move(prompt.id, "queued");
  const session = ensureSession(desk, prompt.threadId);
  if (desk.store.turns.openOf(session.id) === undefined) {
    openTurn(desk, session, "prompt");
  } else if (prompt.messageId !== undefined) {
    desk.present.react(prompt.threadId, prompt.messageId, "👀");
  }
  desk.wake.session(session.id);
}

/** A prompt that Claude can only read after a request is answered waits with us, so that it can still be taken back. */
export function holdPrompt(desk: Desk, prompt: Prompt, blocking: Request): void {
  desk.store.prompts.move(prompt.id, "held");
  const cardId = desk.present.show(
    prompt.threadId,
    { kind: "held", promptId: prompt.id, waiting: requestTitle(desk, blocking), state: "held" },
    {
      lane: "request",
      ...(prompt.messageId === undefined ? {} : { replyTo: prompt.messageId }),
    },
  );
  desk.store.prompts.shownOn(prompt.id, cardId);
}

/** What was held back goes on once no request of the main agent waits any more. */
export function releaseHeld(desk: Desk, threadId: ThreadId): void {
  if (blockingRequest(desk, threadId) !== undefined) return;
  for (const prompt of desk.store.prompts.inThread(threadId, "held")) {
    closeHeldCard(desk, prompt, "sent");
    queuePrompt(desk, prompt);
  }
}

/** Everything not yet written to Claude is dropped; the count is for the person. */
export function cancelUnsent(desk: Desk, threadId: ThreadId): number {
  const states = ["gathering", "held", "queued"] as const;
  const unsent = states.flatMap((state) => desk.store.prompts.inThread(threadId, state));
  for (const prompt of unsent) {
    desk.store.prompts.move(prompt.id, "cancelled");
    closeHeldCard(desk, prompt, "cancelled");
  }
  return unsent.length;
}

/** Claude reads nothing while its main agent waits for an answer; a subagent's request holds nothing up. */
export function blockingRequest(desk: Desk, threadId: ThreadId): Request | undefined {
  const { sessionId } = desk.store.threads.get(threadId);
  return desk.store.requests
    .waitingIn(threadId)
    .find(
      (request) =>
        request.sessionId === sessionId && request.ask.agentId === undefined && !isOutlineOnly(request),
    );
}

function closeHeldCard(desk: Desk, prompt: Prompt, state: "sent" | "cancelled"): void {
  if (prompt.cardId === undefined) return;
  desk.present.refresh(prompt.cardId, { kind: "held", promptId: prompt.id, waiting: "", state }, "request");
}
