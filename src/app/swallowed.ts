import type { Work } from "../core/work.ts";
import type { Prompt } from "../store/prompts.ts";
import type { Session } from "../store/sessions.ts";
import type { Desk } from "./desk.ts";
import { closeTurn, openTurnIfAwaited } from "./turns.ts";

/** Claude had begun with a prompt when its process was killed. Some of it may be done, so the person decides. */
export function swallowed(desk: Desk, session: Session, prompt: Prompt, work: Work): void {
  desk.store.prompts.move(prompt.id, "lost");
  const turn = desk.store.turns.openOf(session.id);
  if (turn !== undefined) closeTurn(desk, turn, "failed", work);
  openTurnIfAwaited(desk, session, prompt.processId);
  desk.present.show(
    session.threadId,
    {
      kind: "notice",
      tone: "warning",
      text: "Claude was cut off while it worked on your last message. Some of it may be done already.",
      actions: [{ label: "Try again", tap: { verb: "retry", promptId: prompt.id } }],
    },
    { lane: "answer" },
  );
}
