import type { RuleReach } from "./always.ts";
import type { PromptId, RequestId, ThreadId, TurnId } from "./ids.ts";
import type { OwnWords } from "./question.ts";

/** What a card says, as data: made by the app, drawn by src/telegram/render. Every text in it is literal. */
export type View =
  | RequestView
  | PlanView
  | QuestionView
  | ProgressView
  | AnswerView
  | NoticeView
  | TrustView
  | HeldView
  | PendingView
  | ProjectsView
  | PlanModeView
  | StatusView
  | AuditView;

/** A tool use that waits for a person, until it has an outcome. */
export type RequestView = {
  kind: "request";
  requestId: RequestId;
  /** What Claude wants to do. */
  tool: ToolView;
  project: string;
  /** Given when a subagent asks. */
  agent?: string;
  description?: string;
  reason?: string;
  /** The rule that "Always allow" would add, in Claude's own notation, as `Bash(npm test *)`, and how far it reaches. */
  always?: { rule: string; reach: RuleReach };
  /** Allowing takes a second, deliberate tap; `armed` after the first one. */
  care?: "first" | "armed";
  /** Why to look twice. */
  dangers?: Danger[];
  /** How many secrets are hidden in what is shown. */
  hidden?: number;
  outcome?: Outcome;
};

/** A reason to look twice, and the part of the input that gives it. */
export type Danger = { why: string; what: string };

/** A tool use for the eye. `body` is the exact input, to be shown literally. */
export type ToolView = {
  kind: ToolKind;
  /** One line: `npm test`, `src/app.ts`, `github · create_issue`. */
  title: string;
  /** The word in front of it: `Bash`, `Edit`, `MCP`. */
  name: string;
  /** How many lines of a file come and go; the first part of the body is then their unified diff. */
  change?: { added: number; removed: number };
  /** What a diff cannot say, a line each. */
  notes?: string[];
  body: ToolBody[];
};
export type ToolKind = "command" | "file_change" | "tool" | "web_search" | "note";
export type ToolBody = { label?: string; text: string; language?: string };

/** How a card ended. `by` and `at` are shown; `at` is in milliseconds since the epoch. */
export type Outcome =
  | { kind: "allowed"; by: string; at: number; always?: { rule: string; reach: RuleReach } }
  | { kind: "denied"; by: string; at: number; reason?: string }
  | { kind: "answered"; by: string; at: number }
  | { kind: "paused"; by: string; at: number }
  | { kind: "discussing"; by: string; at: number }
  /** Nobody answered in time, and so it was denied. */
  | { kind: "expired"; at: number; minutes: number }
  | { kind: "withdrawn"; at: number }
  | { kind: "ended"; at: number; why: string }
  /** The card was sent anew further down. */
  | { kind: "moved"; at: number };

/** ExitPlanMode: the whole plan, and what can be said to it. `outlined`: Claude gave the outline that was asked for. */
export type PlanView = {
  kind: "plan";
  requestId: RequestId;
  project: string;
  /** Markdown of Claude's; absent when Claude gave none. */
  plan?: string;
  outline?: string;
  stage: "first" | "outlined" | "again" | "read";
  outcome?: Outcome;
};

/** AskUserQuestion: one question at a time, and at the end of several all of them. */
export type QuestionView = {
  kind: "question";
  requestId: RequestId;
  project: string;
  agent?: string;
  count: number;
  page: QuestionPage | { kind: "summary" };
  /** The other questions that have an answer; at the summary and once it is over, all that have one. */
  answered: { question: string; answer: string }[];
  outcome?: Outcome;
};
export type QuestionPage = {
  kind: "question";
  position: number;
  header?: string;
  question: string;
  multiple: boolean;
  options: { label: string; description?: string; preview?: string; chosen: boolean }[];
  /** The person's own words, when they gave some and came back. */
  typed?: string;
  /** True when the person came back to a question that has its answer. */
  answered: boolean;
  /** As the form says; `elsewhere` when another question of the thread takes the messages. */
  ownWords: OwnWords | "elsewhere";
};

/** What Claude is doing now; edited in place and never notifies. */
export type ProgressView = {
  kind: "progress";
  turnId: TurnId;
  activity: Activity;
  steps: StepView[];
  /** Steps before the ones shown. */
  earlier: number;
  elapsedMs: number;
  /** The last thing Claude said in this turn, while it works. */
  saying?: string;
  background: string[];
  project: string;
  mode?: string;
  ended?: { how: "done" | "failed" | "stopped"; at: number };
};
export type Activity =
  | { kind: "starting" }
  | { kind: "thinking" }
  | { kind: "tool"; title: string }
  | { kind: "waiting"; count: number }
  | { kind: "retrying"; attempt: number; maxRetries: number; until: number; why: string }
  | { kind: "background" };
export type StepView = {
  name: string;
  title: string;
  state: "running" | "ok" | "failed" | "denied";
  agent?: string;
};

/** The final answer of a turn: Markdown of Claude's, with a quiet footer. */
export type AnswerView = {
  kind: "answer";
  markdown: string;
  footer: { durationMs: number; costUsd?: number; model?: string; background?: boolean };
};

/** A line of ours: what happened, and what to do. Text is plain; `code` is shown as code below it. */
export type NoticeView = {
  kind: "notice";
  tone: "info" | "good" | "warning" | "error";
  text: string;
  code?: string;
  actions?: NoticeAction[];
  silent?: boolean;
};
export type NoticeAction = { label: string; tap: Tap; style?: ButtonStyle };

/** What a folder brings that would run by itself, and the button that lets it. */
export type TrustView = {
  kind: "trust";
  trustId: string;
  project: string;
  path: string;
  changed: boolean;
  hooks: string[];
  servers: string[];
  rules: string[];
  /** Harmless files that are left out too, as CLAUDE.md. */
  leftOut: string[];
  outcome?: { kind: "trusted" | "refused"; by: string; at: number } | { kind: "outdated"; at: number };
};

/** A text that Claude reads only after the waiting card is answered. */
export type HeldView = {
  kind: "held";
  promptId: PromptId;
  waiting: string;
  state: "held" | "sent" | "cancelled";
};

export type PendingView = {
  kind: "pending";
  items: {
    requestId: RequestId;
    title: string;
    project: string;
    askedAt: number;
    agent?: string;
    link?: string;
  }[];
};
export type ProjectsView = { kind: "projects"; current?: string; projects: { name: string; path: string }[] };
export type PlanModeView = {
  kind: "planmode";
  setting: "on" | "off" | "auto" | "config";
  configMode: string;
  liveMode?: string;
  /** Set while a pause counts: how many, and how long until the next plan may come without an outline. */
  pause?: { pauses: number; remainingMs: number };
};
/** A short table of facts; `warning` stands first. */
export type StatusView = {
  kind: "status";
  warning?: string;
  rows: { label: string; value: string; code?: boolean }[];
};

/** What was decided lately, the newest first. */
export type AuditView = {
  kind: "audit";
  /** The project or the tool that was asked about. */
  about?: string;
  entries: {
    at: number;
    who: string;
    what: string;
    tool?: string;
    subject?: string;
    rule?: string;
    project?: string;
  }[];
};

export type ButtonStyle = "success" | "danger" | "primary";

/** Every thing a button can mean. It travels as `v1:<verb>:<id>`; all else is looked up. */
export type Tap =
  | { verb: "allow" | "deny" | "always" | "confirm" | "back"; requestId: RequestId }
  | { verb: "full" | "reveal"; requestId: RequestId }
  | { verb: "show"; requestId: RequestId }
  | { verb: "approve" | "approveedits" | "refuse" | "pause" | "discuss"; requestId: RequestId }
  | { verb: "option"; requestId: RequestId; position: number; option: number }
  | { verb: "submit" | "skip" | "other" | "nevermind" | "earlier"; requestId: RequestId; position: number }
  | { verb: "stop"; turnId: TurnId }
  | { verb: "denysend"; promptId: PromptId }
  | { verb: "retry"; promptId: PromptId }
  | { verb: "fresh"; promptId: PromptId }
  | { verb: "project"; name: string }
  | { verb: "planmode"; setting: "on" | "off" | "auto" | "clear" }
  | { verb: "trust" | "distrust"; trustId: string }
  | { verb: "enable"; threadId: ThreadId };
