import type { Tap } from "../core/view.ts";
import type { Thread } from "../store/threads.ts";
import type { Person } from "../telegram/intent.ts";
import { whyNotApprover } from "./approvers.ts";
import { planModeView, setPlanMode, whyNotPlanMode } from "./commands.ts";
import type { Desk } from "./desk.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { notify } from "./notify.ts";
import { decideTrust } from "./trust.ts";

/** Where a button was tapped, and by whom. */
type TappedAt = { thread: Thread; by: Person; messageId: number };

/** A button of the plan mode's card; gives the words of its toast, as all of these do. */
export function tapPlanMode(
  desk: Desk,
  { thread, by, messageId }: TappedAt,
  setting: (Tap & { verb: "planmode" })["setting"],
): string {
  const refused = whyNotPlanMode(desk, thread, by, setting);
  if (refused !== undefined) return refused;
  setPlanMode(desk, thread, setting);
  const card = desk.store.cards.byMessage(thread.id, messageId);
  if (card !== undefined) desk.present.refresh(card.id, planModeView(desk, thread.id), "request");
  return setting === "clear" ? "Plan mode follows the config" : `Plan mode ${setting}`;
}

/** Trust, or no trust, in what a folder brings. */
export function tapTrust(
  desk: Desk,
  sessions: LiveSessions,
  { thread, by }: TappedAt,
  tap: Tap & { verb: "trust" | "distrust" },
): string {
  const refused = whyNotApprover(desk, thread, by);
  if (refused !== undefined) return refused;
  const { toast, path } = decideTrust(desk, tap.trustId, by, tap.verb === "trust" ? "trusted" : "refused");
  if (path === undefined) return toast;
  // What it started without, it gets with its next start; so it starts anew as soon as nothing is lost by that.
  for (const process of desk.store.processes.live()) {
    const { project } = desk.store.sessions.get(process.sessionId);
    if (!process.trusted && desk.config.projects.get(project)?.path === path)
      sessions.endWhenUnused(process.sessionId);
  }
  return toast;
}

/** A group lets the bot work in it. */
export function tapEnable(desk: Desk, { thread, by, messageId }: TappedAt): string {
  const card = desk.store.cards.byMessage(thread.id, messageId);
  if (card !== undefined) {
    desk.present.refresh(
      card.id,
      { kind: "notice", tone: "good", text: `Enabled by ${by.name}.` },
      "request",
    );
  }
  desk.store.threads.enable(thread.id);
  desk.store.audit.add({ at: desk.clock(), who: by.name, whoId: by.id, what: "enable", threadId: thread.id });
  notify(desk, thread.id, { tone: "good", text: "Enabled. Write what Claude should do; /help says more." });
  return "Enabled";
}
