import type { Process } from "../store/processes.ts";
import type { Desk } from "./desk.ts";
import { uuid } from "./new-id.ts";

/** Writes a control request of ours to a process, and remembers that a reply is due. */
export function sendControl(
  desk: Pick<Desk, "store" | "expectReply" | "wake">,
  process: Pick<Process, "id" | "sessionId">,
  frame: (wireId: string) => string,
): string {
  const wireId = uuid<string>();
  desk.store.processes.append(process.id, frame(wireId));
  desk.expectReply(process.id, wireId);
  desk.wake.session(process.sessionId);
  return wireId;
}
