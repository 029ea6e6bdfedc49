import type { RequestId } from "../core/ids.ts";
import type { Request } from "../store/requests.ts";
import type { Thread } from "../store/threads.ts";
import type { Person } from "../telegram/intent.ts";
import { whyNotApprover } from "./approvers.ts";
import type { Desk } from "./desk.ts";
import { requestTitle, requestView, unmaskedView } from "./requests.ts";

/** Who tapped, and in which thread. */
type At = { thread: Thread; by: Person };

/** Sends all of what a card shows in part, to the card's own chat; gives the words of the toast. */
export function sendFull(desk: Desk, at: At, requestId: RequestId): string {
  const request = inChatOf(desk, at, requestId);
  if (typeof request === "string") return request;
  return desk.present.sendWhole(request.threadId, requestView(desk, request))
    ? "Sending all of it…"
    : "The card shows all of it.";
}

/**
 * Sends what a card hides to the private chat of the person who tapped. It is for those who may answer the request, and
 * for nobody who only reads along.
 */
export function sendHidden(desk: Desk, at: At, requestId: RequestId): string {
  const request = inChatOf(desk, at, requestId);
  if (typeof request === "string") return request;
  const refused = whyNotApprover(desk, at.thread, at.by);
  if (refused !== undefined) return refused;
  if (request.detail.kind !== "tool") return "Nothing is hidden here.";
  const chat = privateChat(desk, at.by);
  if (chat === undefined) return "Start a private chat with me first.";
  desk.present.sendUnmasked(chat.id, unmaskedView(desk, request, request.detail));
  desk.store.audit.add({
    at: desk.clock(),
    who: at.by.name,
    whoId: at.by.id,
    what: "reveal",
    tool: request.ask.tool,
    subject: requestTitle(desk, request),
    threadId: request.threadId,
    sessionId: request.sessionId,
    requestId: request.id,
  });
  return "Sent to your private chat with me";
}

/** A request that was tapped in its own chat, or why it is none. */
function inChatOf(desk: Desk, { thread }: At, requestId: RequestId): Request | string {
  const request = desk.store.requests.get(requestId);
  if (request === undefined) return "I do not know this request any more.";
  const isHere = desk.store.threads.get(request.threadId).chatId === thread.chatId;
  return isHere ? request : "This request belongs to another chat.";
}

/** A private chat has the id of its person. */
function privateChat(desk: Desk, by: Person): Thread | undefined {
  return desk.store.threads.at(by.id, 0) ?? desk.store.threads.inChat(by.id)[0];
}
