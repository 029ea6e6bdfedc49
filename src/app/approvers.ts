import type { Thread } from "../store/threads.ts";
import type { Person } from "../telegram/intent.ts";
import type { Desk } from "./desk.ts";

/** Why a person may not answer in this chat, in the words of the toast; undefined when they may. */
export function whyNotApprover(
  desk: Pick<Desk, "config" | "store">,
  { chatId }: Pick<Thread, "chatId">,
  by: Person,
): string | undefined {
  const approvers = approversOf(desk, chatId);
  if (approvers === undefined || approvers.includes(by.id)) return undefined;
  return `Only ${inWords(approvers.map((id) => desk.store.audit.nameOf(id) ?? String(id)))} can answer here.`;
}

/** A group that became a supergroup has a new id; who may answer there must not change by that. */
export function noteMovedChat(desk: Pick<Desk, "store">, from: number, to: number): void {
  desk.store.meta.set(formerKey(to), String(from));
}

function approversOf(desk: Pick<Desk, "config" | "store">, chatId: number): readonly number[] | undefined {
  const named = desk.config.telegram.approvers.get(chatId);
  if (named !== undefined) return named;
  const former = desk.store.meta.get(formerKey(chatId));
  // Telegram moves a group once and for all, so there is one former id at most.
  return former === undefined ? undefined : desk.config.telegram.approvers.get(Number(former));
}

function formerKey(chatId: number): string {
  return `former_id_of_chat:${chatId}`;
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
