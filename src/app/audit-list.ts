import type { AuditView } from "../core/view.ts";
import type { AuditLine } from "../store/audit.ts";
import type { Thread } from "../store/threads.ts";
import type { Desk } from "./desk.ts";

const SHOWN = 20;

/** `/audit`, `/audit web`, `/audit Bash`: what was decided in this chat; in a private chat, what was decided anywhere. */
export function showAudit(desk: Desk, thread: Thread, about: string): void {
  const isProject = desk.config.projects.has(about);
  const lines = desk.store.audit.newest(SHOWN, {
    ...(thread.chatKind === "private" ? {} : { chatId: thread.chatId }),
    ...(about === "" ? {} : isProject ? { project: about } : { tool: about }),
  });
  const view: AuditView = {
    kind: "audit",
    ...(about === "" ? {} : { about }),
    entries: lines.map(shown),
  };
  desk.present.show(thread.id, view, { lane: "request" });
}

function shown({ at, who, what, tool, subject, rule, project }: AuditLine): AuditView["entries"][number] {
  return {
    at,
    who,
    what,
    ...(tool === undefined ? {} : { tool }),
    ...(subject === undefined ? {} : { subject }),
    ...(rule === undefined ? {} : { rule }),
    ...(project === undefined ? {} : { project }),
  };
}
