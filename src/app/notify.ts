import type { ThreadId } from "../core/ids.ts";
import type { NoticeView } from "../core/view.ts";
import type { Desk } from "./desk.ts";

/** A line of ours to a thread. */
export function notify(desk: Desk, threadId: ThreadId, notice: Omit<NoticeView, "kind">): void {
  desk.present.show(threadId, { kind: "notice", ...notice }, { lane: "request" });
}

/** Something every owner should know, in their private chats: it could not be said where it happened. */
export function tellOwners(desk: Desk, text: string): void {
  for (const thread of desk.store.threads.privateOnes()) notify(desk, thread.id, { tone: "warning", text });
}
