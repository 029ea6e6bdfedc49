import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { initialize, userPrompt } from "../claude/frames.ts";
import { launchProcess } from "../claude/launch.ts";
import { claudeArgv, claudeEnv, type PermissionRules } from "../claude/options.ts";
import type { ProcessId } from "../core/ids.ts";
import type { Process } from "../store/processes.ts";
import type { Session } from "../store/sessions.ts";
import { ownPaths } from "./approvals.ts";
import type { Project } from "./config.ts";
import { sendControl } from "./control.ts";
import type { Desk } from "./desk.ts";
import { startMode } from "./modes.ts";
import { shortId } from "./new-id.ts";
import { isTrusted } from "./trust.ts";

export type StartedProcess = Process & { os: NonNullable<Process["os"]> };
export type StartResult =
  | { ok: true; process: StartedProcess }
  /** `process` is given when its row was written, and must be ended. */
  | { ok: false; message: string; process?: Process }
  /** Meanwhile nobody needs it any more. */
  | { ok: false; unneeded: true };

/** A CLI that met a full disk never writes again, so none is started near one. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;

/** Starts a process for a session. The row, and all that is to be sent, is written before anything runs. */
export async function startProcess(
  desk: Desk,
  session: Session,
  start: { instance: string; command: readonly [string, ...string[]]; parentEnv: NodeJS.ProcessEnv },
): Promise<StartResult> {
  const project = desk.config.projects.get(session.project);
  if (project === undefined) {
    return {
      ok: false,
      message: `The project "${session.project}" is not in the config any more. Choose one with /project.`,
    };
  }
  const refused = await whyNotNow(desk.config.stateDir, project.path);
  if (refused !== undefined) return { ok: false, message: refused };
  const settings = { ...desk.config.claude, command: start.command };
  const env = claudeEnv(start.parentEnv, settings);
  const trusted = await isTrusted(desk, project, session.threadId, env);

  const id = shortId<ProcessId>();
  const folder = join(desk.config.stateDir, "processes", id);
  const started = desk.store.transaction(() => {
    // Read again: while the folder was looked at, the person may have changed the mode, taken the prompt back, or left.
    const current = desk.store.sessions.get(session.id);
    const thread = desk.store.threads.get(session.threadId);
    if (thread.sessionId !== session.id || desk.store.prompts.inThread(thread.id, "queued").length === 0)
      return undefined;
    const opened = current.conversation === "none" ? "fresh" : "resumed";
    const row = desk.store.processes.add(
      { id, sessionId: session.id, folder, opened, trusted },
      desk.clock(),
    );
    if (opened === "fresh") desk.store.sessions.setConversation(session.id, "tried");
    sendControl(desk, row, "initialize", initialize);
    feed(desk, row);
    return { process: row, claudeId: current.claudeId, mode: startMode(desk.config, thread, current) };
  });
  if (started === undefined) return { ok: false, unneeded: true };
  const { process, claudeId, mode } = started;
  const argv = claudeArgv(settings, {
    session: { kind: process.opened === "fresh" ? "new" : "resume", id: claudeId },
    mode,
    trusted,
    ownPaths: ownPaths(desk),
    rules: rulesFor(desk, project),
  });
  const launched = await launchProcess({
    folder,
    argv,
    cwd: project.path,
    env,
    marks: { instance: start.instance, session: id },
  });
  if (!launched.ok) return { ok: false, message: launched.message, process };
  const os = { pid: launched.pid, startTime: launched.startTime };
  desk.store.processes.started(id, os);
  desk.log.info("claude.started", {
    process: id,
    pid: os.pid,
    project: project.name,
    opened: process.opened,
    trusted,
  });
  return { ok: true, process: { ...process, state: "running", os } };
}

/** What Claude is to keep by itself: what people allowed always, and the owner's rules with a pattern. */
function rulesFor(desk: Desk, project: Project): PermissionRules {
  const configured = [desk.config.approvals.rules.handed, project.rules.handed];
  return {
    allow: [...desk.store.rules.ofFolder(project.path), ...configured.flatMap(({ allow }) => allow)],
    deny: configured.flatMap(({ deny }) => deny),
    ask: configured.flatMap(({ ask }) => ask),
  };
}

/** Writes every prompt in line for this session to its process. */
export function feed(desk: Desk, process: Process): void {
  const session = desk.store.sessions.get(process.sessionId);
  const thread = desk.store.threads.get(session.threadId);
  if (thread.sessionId !== session.id) return;
  for (const prompt of desk.store.prompts.inThread(thread.id, "queued")) {
    desk.store.processes.append(process.id, userPrompt({ promptId: prompt.id, content: prompt.text }));
    desk.store.prompts.sent(prompt.id, session.id, process.id);
  }
}

async function whyNotNow(stateDir: string, projectPath: string): Promise<string | undefined> {
  const folder = await stat(projectPath).catch(() => undefined);
  if (!folder?.isDirectory())
    return `The project's folder ${projectPath} is not there. Bring it back, or choose another with /project.`;
  return (await isDiskLow(stateDir)) ? DISK_IS_LOW : undefined;
}

/** Near a full disk nothing is started or sent. A disk that cannot be asked is taken to have room. */
export async function isDiskLow(stateDir: string): Promise<boolean> {
  const disk = await statfs(stateDir).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize < LEAST_FREE_BYTES;
}

export const DISK_IS_LOW =
  "The disk is nearly full, and Claude would break on it. Free some space, then try again.";
