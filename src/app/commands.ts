import { openGate, remainingMs } from "../core/plan-gate.ts";
import type { PendingView, PlanModeView, StatusView, Tap } from "../core/view.ts";
import { isScheduled } from "../core/work.ts";
import type { Thread } from "../store/threads.ts";
import { type CommandName, helpText } from "../telegram/commands.ts";
import type { Person } from "../telegram/intent.ts";
import { whyNotApprover } from "./approvers.ts";
import { showAudit } from "./audit-list.ts";
import { type Desk, projectOf } from "./desk.ts";
import { leaveSession } from "./leave-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { changeMode, freshMode } from "./modes.ts";
import { notify } from "./notify.ts";
import { cancelUnsent } from "./prompt-queue.ts";
import { isShown, requestTitle } from "./requests.ts";
import { stopTurn } from "./stopped-turn.ts";
import { sessionOf } from "./thread-session.ts";

/** Does what a command of ours says. */
export function runCommand(
  desk: Desk,
  sessions: LiveSessions,
  thread: Thread,
  by: Person,
  command: { name: CommandName; args: string },
): void {
  switch (command.name) {
    case "start":
    case "help":
      return notify(desk, thread.id, { tone: "info", text: helpText });
    case "new":
      return startOver(desk, sessions, thread);
    case "cancel":
      return cancel(desk, thread, by);
    case "status":
      return showStatus(desk, sessions, thread);
    case "pending":
      return showPending(desk, thread);
    case "planmode":
      return planMode(desk, thread, by, command.args.trim().toLowerCase());
    case "project":
      if (command.args.trim() === "") showProjects(desk, thread);
      else chooseProject(desk, sessions, thread, command.args.trim());
      return;
    case "audit":
      return showAudit(desk, thread, command.args.trim());
    case "enable":
      return askEnable(desk, thread);
  }
}

/** Ends the session and forgets it: the next message begins a new conversation. */
function startOver(desk: Desk, sessions: LiveSessions, thread: Thread): void {
  cancelUnsent(desk, thread.id);
  const session = sessionOf(desk, thread.id);
  const wasBusy = session !== undefined && leaveSession(desk, sessions, session);
  desk.store.threads.setGate(thread.id, openGate);
  const ended = wasBusy ? "I ended what was running. " : "";
  notify(desk, thread.id, { tone: "good", text: `${ended}Your next message starts a fresh conversation.` });
}

/** Another project for this thread; what was said there goes on when the thread comes back to it. */
export function chooseProject(desk: Desk, sessions: LiveSessions, thread: Thread, name: string): string {
  const say = (text: string, tone: "good" | "warning"): string => {
    notify(desk, thread.id, { tone, text });
    return text;
  };
  const project = desk.config.projects.get(name);
  if (project === undefined)
    return say(`There is no project "${name}". /project shows the ones there are.`, "warning");
  const session = sessionOf(desk, thread.id);
  const current = session?.project ?? projectOf(desk, thread.id).name;
  if (current === name) return say(`This chat works in ${name} already.`, "good");
  if (session !== undefined && desk.store.turns.openOf(session.id) !== undefined) {
    return say(`Claude is still working in ${current}. Stop it with /cancel first.`, "warning");
  }
  if (session !== undefined) leaveSession(desk, sessions, session);
  const earlier = desk.store.sessions.latest(thread.id, name);
  desk.store.threads.choose(thread.id, name);
  desk.store.threads.bind(thread.id, earlier?.id);
  desk.store.threads.setGate(thread.id, openGate);
  const goesOn =
    earlier === undefined ? "" : " The last conversation there goes on; /new starts a fresh one.";
  return say(`This chat now works in ${name}.${goesOn}`, "good");
}

/** `/planmode on | off | auto | clear`, or bare to see the state. */
function planMode(desk: Desk, thread: Thread, by: Person, setting: string): void {
  if (setting === "" || setting === "show") return showPlanMode(desk, thread.id);
  if (!isPlanSetting(setting)) {
    return notify(desk, thread.id, { tone: "warning", text: "Say /planmode on, off, auto, show or clear." });
  }
  const refused = whyNotPlanMode(desk, thread, by, setting);
  if (refused !== undefined) return notify(desk, thread.id, { tone: "warning", text: refused });
  setPlanMode(desk, thread, setting);
  showPlanMode(desk, thread.id);
}

/** `auto` approves every plan beforehand, so it takes somebody who may approve one. */
export function whyNotPlanMode(desk: Desk, thread: Thread, by: Person, setting: string): string | undefined {
  return setting === "auto" ? whyNotApprover(desk, thread, by) : undefined;
}

/** Takes effect on the live session at once, and on every later one. `clear` goes back to the config and resets the pause. */
export function setPlanMode(
  desk: Desk,
  thread: Thread,
  setting: (Tap & { verb: "planmode" })["setting"],
): void {
  const planMode = setting === "clear" ? undefined : setting;
  desk.store.threads.setPlanMode(thread.id, planMode);
  if (setting === "clear") desk.store.threads.setGate(thread.id, openGate);
  if (thread.sessionId === undefined) return;
  changeMode(desk, thread.sessionId, freshMode(desk.config, planMode === undefined ? {} : { planMode }));
}

export function planModeView(desk: Desk, threadId: Thread["id"]): PlanModeView {
  const thread = desk.store.threads.get(threadId);
  const liveMode = sessionOf(desk, threadId)?.mode;
  const { pauses } = thread.gate;
  return {
    kind: "planmode",
    setting: thread.planMode ?? "config",
    configMode: desk.config.claude.permissionMode,
    ...(liveMode === undefined ? {} : { liveMode }),
    ...(pauses === 0 ? {} : { pause: { pauses, remainingMs: remainingMs(thread.gate, desk.clock()) } }),
  };
}

function isPlanSetting(word: string): word is (Tap & { verb: "planmode" })["setting"] {
  return ["on", "off", "auto", "clear"].includes(word);
}

function showPlanMode(desk: Desk, threadId: Thread["id"]): void {
  desk.present.show(threadId, planModeView(desk, threadId), { lane: "request" });
}

function cancel(desk: Desk, thread: Thread, by: Person): void {
  const { stopping, dropped } = stopTurn(desk, thread.id, by);
  if (stopping) return;
  const text =
    dropped > 0
      ? `Dropped ${dropped === 1 ? "your message" : `${dropped} messages`} before Claude read it.`
      : "Nothing is running here.";
  notify(desk, thread.id, { tone: "info", text });
}

function showProjects(desk: Desk, thread: Thread): void {
  const projects = [...desk.config.projects.values()].map(({ name, path }) => ({ name, path }));
  desk.present.show(
    thread.id,
    { kind: "projects", current: projectOf(desk, thread.id).name, projects },
    { lane: "request" },
  );
}

function askEnable(desk: Desk, thread: Thread): void {
  if (thread.chatKind === "private" || thread.enabled) {
    return notify(desk, thread.id, {
      tone: "info",
      text: "I work here already. Write what Claude should do.",
    });
  }
  notify(desk, thread.id, {
    tone: "warning",
    text: "Everybody in this group will be able to read what Claude writes and does here. Only the people in my config can talk to me and tap my buttons.",
    actions: [{ label: "Enable here", tap: { verb: "enable", threadId: thread.id }, style: "primary" }],
  });
}

/** What waits here; in a private chat also what waits in groups, but nobody else's own. */
function showPending(desk: Desk, thread: Thread): void {
  const waiting =
    thread.chatKind === "private"
      ? desk.store.requests
          .waiting()
          .filter((request) => isShared(desk, request.threadId) || request.threadId === thread.id)
      : desk.store.requests.waitingIn(thread.id);
  const items: PendingView["items"] = waiting.filter(isShown).map((request) => ({
    requestId: request.id,
    title: requestTitle(desk, request),
    project: desk.store.sessions.get(request.sessionId).project,
    askedAt: request.askedAt,
    ...(request.ask.agentId === undefined ? {} : { agent: request.ask.agentName ?? request.ask.agentId }),
  }));
  desk.present.show(thread.id, { kind: "pending", items }, { lane: "request" });
}

function isShared(desk: Desk, threadId: Thread["id"]): boolean {
  return desk.store.threads.get(threadId).chatKind === "group";
}

function showStatus(desk: Desk, sessions: LiveSessions, thread: Thread): void {
  const project = projectOf(desk, thread.id);
  const session = sessionOf(desk, thread.id);
  const work = session && sessions.workOf(session.id);
  const turn = session && desk.store.turns.openOf(session.id);
  const process = session && desk.store.processes.liveOf(session.id);
  const waiting = desk.store.requests.waitingIn(thread.id).filter(isShown).length;
  const rows: StatusView["rows"] = [
    { label: "Project", value: `${project.name} (${project.path})`, code: true },
    { label: "Claude", value: stateInWords(process !== undefined, turn !== undefined, waiting) },
  ];
  if (waiting > 0) rows.push({ label: "Waiting for you", value: `${waiting} (/pending)` });
  if (session?.mode !== undefined) rows.push({ label: "Mode", value: session.mode });
  if (session?.model !== undefined) rows.push({ label: "Model", value: session.model, code: true });
  if (process !== undefined && !process.trusted)
    rows.push({ label: "Trust", value: "the folder's own hooks, servers and rules are off" });
  for (const task of work?.background ?? [])
    rows.push({ label: "In the background", value: task.description, code: true });
  if (work !== undefined && isScheduled(work, desk.clock()))
    rows.push({ label: "Scheduled", value: "Claude will wake up by itself" });
  if (session !== undefined) {
    rows.push({ label: "Cost", value: `$${session.costUsd.toFixed(2)}` });
    rows.push({ label: "Resume on your machine", value: `claude --resume ${session.claudeId}`, code: true });
  }
  const warning = desk.config.claude.dangerouslySkipPermissions
    ? "dangerously_skip_permissions is on: Claude does everything without asking."
    : undefined;
  desk.present.show(
    thread.id,
    { kind: "status", rows, ...(warning === undefined ? {} : { warning }) },
    { lane: "request" },
  );
}

function stateInWords(live: boolean, turn: boolean, waiting: number): string {
  if (waiting > 0) return "waits for you";
  if (turn) return "is working";
  return live ? "is ready" : "is not running; your next message starts it";
}
