import { setPermissionMode } from "../claude/frames.ts";
import type { PermissionMode } from "../core/agent-event.ts";
import type { SessionId } from "../core/ids.ts";
import type { Session } from "../store/sessions.ts";
import type { Thread } from "../store/threads.ts";
import type { Config } from "./config.ts";
import { sendControl } from "./control.ts";
import type { Desk } from "./desk.ts";
import { notify } from "./notify.ts";

/** The mode in which a session's next process starts: a resumed one goes on in the mode last read back. */
export function startMode(config: Config, thread: Thread, session: Session): PermissionMode {
  // A mode that skips every question counts only while the config says so.
  const isAllowed = session.mode !== BYPASS || config.claude.dangerouslySkipPermissions;
  return session.mode !== undefined && isAllowed ? session.mode : freshMode(config, thread);
}

/** The mode of a new session: /planmode wins over the config. */
export function freshMode(config: Config, thread: Pick<Thread, "planMode">): PermissionMode {
  if (thread.planMode === "on" || thread.planMode === "auto") return "plan";
  if (thread.planMode === undefined && config.claude.permissionMode === "plan") return "plan";
  return modeWithoutPlan(config);
}

/** Where a session goes when it leaves plan mode without Claude having said where. */
export function modeWithoutPlan(config: Config): PermissionMode {
  const { permissionMode, dangerouslySkipPermissions } = config.claude;
  if (dangerouslySkipPermissions) return BYPASS;
  return permissionMode === "plan" ? "default" : permissionMode;
}

/** Claude refused a mode: what it runs in stays what it was, and nobody is left to believe otherwise. */
export function modeRefused(
  desk: Desk,
  session: Session,
  wanted: PermissionMode,
  current: PermissionMode | undefined,
): void {
  desk.store.sessions.setMode(
    session.id,
    current ?? freshMode(desk.config, desk.store.threads.get(session.threadId)),
  );
  notify(desk, session.threadId, {
    tone: "warning",
    text: `Claude did not switch to mode ${wanted}. It stays in ${current ?? "the mode it was in"}.`,
  });
}

const BYPASS = "bypassPermissions";

/** Changes the mode of a session: at once when it is live, and for its next process in any case. */
export function changeMode(desk: Desk, sessionId: SessionId, mode: PermissionMode): void {
  desk.store.sessions.setMode(sessionId, mode);
  const process = desk.store.processes.liveOf(sessionId);
  if (process === undefined || process.state === "ending") return;
  sendControl(desk, process, `mode ${mode}`, (wireId) => setPermissionMode(wireId, mode));
}
