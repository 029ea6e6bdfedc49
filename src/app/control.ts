import type { Awaited } from "../store/awaited.ts";
import type { Process } from "../store/processes.ts";
import type { Desk } from "./desk.ts";
import { uuid } from "./new-id.ts";

/** No reply for so long means a broken channel; a first start on a busy machine is given more. */
const REPLY_MS = 30_000;
const FIRST_REPLY_MS = 120_000;

/** Writes a control request of ours to a process; that a reply is due is a row like any other. */
export function sendControl(
  desk: Pick<Desk, "store" | "clock" | "wake">,
  process: Pick<Process, "id" | "sessionId" | "state">,
  what: Awaited,
  frame: (wireId: string) => string,
): void {
  const wireId = uuid<string>();
  desk.store.processes.append(process.id, frame(wireId));
  const patience = process.state === "starting" ? FIRST_REPLY_MS : REPLY_MS;
  desk.store.awaited.add(process.id, wireId, what, desk.clock() + patience);
  desk.wake.session(process.sessionId);
}

/** Nobody read replies for a while, so each gets its time anew. */
export function postponeReplies(desk: Pick<Desk, "store" | "clock">): void {
  desk.store.awaited.postpone(desk.clock() + REPLY_MS);
}
