import type { PromptId } from "./ids.ts";

/** What Claude's process told us, in our own words. Claude's wire format ends in src/claude/translate.ts. */
export type AgentEvent =
  | { kind: "session_started"; model?: string; mode?: PermissionMode; cwd?: string; version?: string }
  | { kind: "prompt_taken"; promptId: PromptId }
  | { kind: "text"; text: string; messageId?: string; agentId?: string }
  | { kind: "thinking"; agentId?: string }
  | { kind: "tool_started"; toolUseId: string; tool: string; input: JsonObject; agentId?: string }
  | { kind: "tool_ended"; toolUseId: string; failed: boolean; output: string; agentId?: string }
  | { kind: "asked"; ask: Ask }
  /** Claude no longer needs an answer to this. */
  | { kind: "withdrawn"; wireId: string }
  /** A control request of a kind we do not know; it still needs an answer, or Claude waits for ever. */
  | { kind: "asked_unknown"; wireId: string; subtype: string }
  /** The reply to a control request of ours. Claude also repeats our own answers: a `wireId` of its own is such an echo. */
  | { kind: "replied"; wireId: string; reply: Reply }
  | { kind: "mode_changed"; mode: PermissionMode }
  | {
      kind: "retrying";
      attempt: number;
      maxRetries: number;
      delayMs: number;
      status?: number;
      error?: string;
    }
  /** The full list of what runs in the background now. */
  | { kind: "background"; tasks: BackgroundTask[] }
  | { kind: "compacted" }
  | { kind: "turn_ended"; end: TurnEnd }
  /** Something this version does not know; counted, never an error. */
  | { kind: "unknown"; what: string };

/** Claude's own words for its modes pass through unchanged, so that ours cannot drift from them. */
export type PermissionMode = string;

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** One `can_use_tool` as Claude sent it; everything in it is untrusted text. */
export type Ask = {
  wireId: string;
  tool: string;
  input: JsonObject;
  toolUseId?: string;
  description?: string;
  reason?: string;
  reasonType?: string;
  blockedPath?: string;
  agentId?: string;
  /** What the subagent was started for. */
  agentName?: string;
  /** Claude's own `permission_suggestions`, to be handed back as they came. */
  suggestions: JsonObject[];
  needsPerson: boolean;
  matchedAskRule: boolean;
  noAlways: boolean;
  defaultToNo: boolean;
};

export type Reply = { ok: true; response: JsonObject } | { ok: false; error: string; code?: string };

export type BackgroundTask = { taskId: string; type: string; description: string };

export type TurnEnd = {
  ok: boolean;
  /** Claude's own subtype, as `success` or `error_during_execution`. */
  subtype: string;
  text: string;
  errors: string[];
  turns: number;
  /** A running total over the process, or over the session: never this turn's own. */
  totalCostUsd: number;
  durationMs: number;
  apiErrorStatus?: number;
  /** Claude's own word for how it ended, as `completed`, `aborted_tools` or `api_error`. */
  reason?: string;
  /** Why a turn came that no prompt asked for, as `task-notification`. */
  origin?: string;
  tokens: { input: number; output: number };
  model?: string;
};
