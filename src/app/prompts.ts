import type { ThreadId } from "../core/ids.ts";
import type { Prompt } from "../store/prompts.ts";
import type { Thread } from "../store/threads.ts";
import type { Person } from "../telegram/intent.ts";
import { typeQuestionAnswer } from "./answers.ts";
import { whyNotApprover } from "./approvers.ts";
import type { Desk } from "./desk.ts";
import { closeOutline } from "./plans.ts";
import { addPrompt, blockingRequest, holdPrompt, queuePrompt } from "./prompt-queue.ts";

/** How long after a nearly full message its next piece may come. */
const PASTE_GAP_MS = 1_500;
const FULL_MESSAGE = 4_096;

/** A person's text. Telegram cuts long pastes, so a nearly full message waits a moment for its next piece. */
export function admitText(
  desk: Desk,
  thread: Thread,
  by: Person,
  message: { text: string; messageId: number; mayContinue: boolean },
): void {
  const { messageId, mayContinue } = message;
  const text = mayContinue ? withCut(message.text) : message.text;
  const settleAt = desk.clock() + PASTE_GAP_MS;
  const open = desk.store.prompts.inThread(thread.id, "gathering").at(-1);
  if (open !== undefined && open.authorId === by.id) {
    const whole = `${open.text}${text}`;
    desk.store.prompts.extend(open.id, whole, settleAt);
    if (!mayContinue) route(desk, { ...open, text: whole }, by);
    return;
  }
  const prompt = addPrompt(desk, {
    threadId: thread.id,
    by,
    text,
    messageId,
    ...(mayContinue ? { settleAt } : {}),
  });
  if (!mayContinue) route(desk, prompt, by);
}

/** A full message was cut in the middle of a word; a shorter one at a line break or a space, which Telegram swallows. */
function withCut(piece: string): string {
  return piece.length >= FULL_MESSAGE ? piece : `${piece}\n`;
}

/** Pastes whose next piece did not come; those of a thread at once, when something else makes them complete. */
export function settlePastes(desk: Desk, which: { threadId: ThreadId } | "due"): void {
  const { prompts } = desk.store;
  const gathering =
    which === "due" ? prompts.everywhere("gathering") : prompts.inThread(which.threadId, "gathering");
  for (const prompt of gathering) {
    if (which === "due" && (prompt.settleAt ?? 0) > desk.clock()) continue;
    desk.store.transaction(() => route(desk, prompt, { id: prompt.authorId, name: prompt.author }));
  }
}

/** The same text again, deliberately: a new id, because Claude runs each id once. */
export function sendAgain(desk: Desk, prompt: Prompt, by: Person): void {
  // It was meant for Claude when it was written, whatever question waits by now.
  forward(desk, addPrompt(desk, { threadId: prompt.threadId, by, text: prompt.text }));
}

/** A whole text: it answers a question that waits, or is a prompt for Claude. */
function route(desk: Desk, prompt: Prompt, by: Person): void {
  const mayAnswer = whyNotApprover(desk, desk.store.threads.get(prompt.threadId), by) === undefined;
  if (mayAnswer && typeQuestionAnswer(desk, prompt.threadId, prompt.text, by)) {
    desk.store.prompts.move(prompt.id, "done");
    if (prompt.messageId !== undefined) desk.present.react(prompt.threadId, prompt.messageId, "👌");
    return;
  }
  forward(desk, prompt);
}

/** A prompt waits behind a request, or goes to Claude. */
function forward(desk: Desk, prompt: Prompt): void {
  closeOutline(desk, prompt.threadId);
  const blocking = blockingRequest(desk, prompt.threadId);
  if (blocking === undefined) {
    queuePrompt(desk, prompt);
    return;
  }
  holdPrompt(desk, prompt, blocking);
}
