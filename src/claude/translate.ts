import type { AgentEvent, Ask } from "../core/agent-event.ts";
import type { PromptId } from "../core/ids.ts";
import { followTasks, noTasks, type Tasks } from "./tasks.ts";
import type { Block, Wire, WireMessage } from "./wire.ts";

/** What one line of Claude's output means. `sessionId` is Claude's own id for the conversation, which `/clear` changes. */
export type Translation = { sessionId?: string; events: AgentEvent[]; tasks: Tasks };

/** Puts one line of Claude's output into our own words. `tasks` is what the translation of the line before gave back. */
export function translate(wire: Wire, tasks: Tasks = noTasks): Translation {
  switch (wire.kind) {
    case "message": {
      const { message } = wire;
      const followed = followTasks(tasks, message);
      const events = eventsOf(message, followed.tasks);
      if (followed.told) events.unshift({ kind: "background", tasks: followed.told });
      return said(sessionIdOf(message), events, followed.tasks);
    }
    case "unknown":
      return said(wire.sessionId, [{ kind: "unknown", what: wire.type }], tasks);
    case "garbage":
      return said(undefined, [{ kind: "unknown", what: "not JSON" }], tasks);
  }
}

function said(sessionId: string | undefined, events: AgentEvent[], tasks: Tasks): Translation {
  return sessionId ? { sessionId, events, tasks } : { events, tasks };
}

function sessionIdOf(message: WireMessage): string | undefined {
  return "session_id" in message ? message.session_id : undefined;
}

function eventsOf(message: WireMessage, tasks: Tasks): AgentEvent[] {
  switch (message.type) {
    case "system":
      return systemEvents(message);
    case "assistant":
      return message.message.content
        .filter((block) => !isEmptyAnswer(block, message))
        .map((block) => assistantEvent(block, message.message.id, agentOf(message, tasks)));
    case "user":
      return userEvents(message, agentOf(message, tasks));
    case "result":
      return [turnEnded(message)];
    case "control_request":
      return [asked(message, tasks)];
    case "control_cancel_request":
      return [{ kind: "withdrawn", wireId: message.request_id }];
    case "control_response":
      return [replied(message.response)];
  }
}

type Of<Type extends WireMessage["type"]> = Extract<WireMessage, { type: Type }>;

function systemEvents(message: Of<"system">): AgentEvent[] {
  const { subtype, permissionMode: mode } = message;
  switch (subtype) {
    case "init":
      return [
        present({
          kind: "session_started",
          model: message.model,
          mode,
          cwd: message.cwd,
          version: message.claude_code_version,
        }),
      ];
    case "status":
      return mode === undefined ? [] : [{ kind: "mode_changed", mode }];
    case "api_retry":
      return [
        present({
          kind: "retrying",
          attempt: message.attempt ?? 1,
          maxRetries: message.max_retries ?? 0,
          delayMs: Math.round(message.retry_delay_ms ?? 0),
          status: message.error_status,
          error: message.error,
        }),
      ];
    case "compact_boundary":
      return [{ kind: "compacted" }];
    default:
      return KNOWN_AND_UNUSED.has(subtype) || subtype.startsWith("hook_")
        ? []
        : [{ kind: "unknown", what: `system/${subtype.slice(0, 80)}` }];
  }
}

// The tasks among them are followed in tasks.ts.
const KNOWN_AND_UNUSED = new Set([
  "background_tasks_changed",
  "informational",
  "local_command_output",
  "notification",
  "permission_denied",
  "session_state_changed",
  "task_notification",
  "task_progress",
  "task_started",
  "task_updated",
  "thinking_tokens",
]);

function assistantEvent(
  block: Block,
  messageId: string | undefined,
  agentId: string | undefined,
): AgentEvent {
  switch (block.type) {
    case "text":
      return present({ kind: "text", text: block.text, messageId, agentId });
    case "thinking":
    case "redacted_thinking":
      return present({ kind: "thinking", agentId });
    case "tool_use":
      return present({
        kind: "tool_started",
        toolUseId: block.id,
        tool: block.name,
        input: block.input,
        agentId,
      });
    case "tool_result":
      return toolEnded(block, agentId);
    case "unknown":
      return { kind: "unknown", what: block.what };
  }
}

// A command like `/clear` has nothing to say, and the CLI says so in the model's place.
function isEmptyAnswer(block: Block, { message }: Of<"assistant">): boolean {
  return message.model === "<synthetic>" && block.type === "text" && block.text === "(no content)";
}

function userEvents(message: Of<"user">, agentId: string | undefined): AgentEvent[] {
  const events = message.message.content.flatMap((block): AgentEvent[] => {
    if (block.type === "tool_result") return [toolEnded(block, agentId)];
    return block.type === "unknown" ? [{ kind: "unknown", what: block.what }] : [];
  });
  if (message.isReplay && message.uuid && !message.message.content.some(isCommandOutput)) {
    // The uuid is the one that we gave the prompt.
    events.unshift({ kind: "prompt_taken", promptId: message.uuid as PromptId });
  }
  return events;
}

// The CLI repeats what its own commands print (`set_model`, for one) in the same way as our prompts.
function isCommandOutput(block: Block): boolean {
  return block.type === "text" && block.text.startsWith("<local-command-std");
}

function toolEnded(block: Extract<Block, { type: "tool_result" }>, agentId: string | undefined): AgentEvent {
  const { tool_use_id: toolUseId, is_error: failed = false, content: output } = block;
  return present({ kind: "tool_ended", toolUseId, failed, output, agentId });
}

// Older CLIs name only the tool use that started an agent. Even one we never saw is not taken for the main agent.
function agentOf(speaker: Of<"assistant"> | Of<"user">, { agents }: Tasks): string | undefined {
  const { agent_id: agentId, parent_tool_use_id: parent } = speaker;
  return agentId ?? (parent === undefined ? undefined : (agents[parent] ?? parent));
}

function turnEnded(message: Of<"result">): AgentEvent {
  const { usage } = message;
  return {
    kind: "turn_ended",
    end: present({
      ok: message.is_error !== true && (message.subtype ?? "success") === "success",
      subtype: message.subtype ?? "",
      text: message.result ?? "",
      errors: message.errors,
      turns: message.num_turns ?? 0,
      totalCostUsd: message.total_cost_usd ?? 0,
      durationMs: message.duration_ms ?? 0,
      apiErrorStatus: message.api_error_status,
      reason: message.terminal_reason,
      origin: message.origin?.kind,
      tokens: {
        // What was read from the cache was read all the same.
        input:
          (usage?.input_tokens ?? 0) +
          (usage?.cache_creation_input_tokens ?? 0) +
          (usage?.cache_read_input_tokens ?? 0),
        output: usage?.output_tokens ?? 0,
      },
      model: busiestModel(message.modelUsage ?? {}),
    }),
  };
}

// Side jobs run on a smaller model; the one that wrote most is the one people chose.
function busiestModel(models: NonNullable<Of<"result">["modelUsage"]>): string | undefined {
  const byOutput = Object.entries(models).sort(
    ([, a], [, b]) => (b.outputTokens ?? 0) - (a.outputTokens ?? 0),
  );
  return byOutput[0]?.[0];
}

function asked(message: Of<"control_request">, tasks: Tasks): AgentEvent {
  const { request_id: wireId, request } = message;
  const subtype = request?.subtype ?? "";
  // Nobody may be asked to allow an input that we could not read.
  if (subtype !== "can_use_tool" || request?.tool_name === undefined || request.input === undefined) {
    return { kind: "asked_unknown", wireId, subtype };
  }
  const ask: Ask = present({
    wireId,
    tool: request.tool_name,
    input: request.input,
    toolUseId: request.tool_use_id,
    description: request.description,
    reason: request.decision_reason,
    reasonType: request.decision_reason_type,
    blockedPath: request.blocked_path,
    agentId: request.agent_id,
    agentName: [...tasks.running, ...tasks.background].find(({ taskId }) => taskId === request.agent_id)
      ?.description,
    suggestions: request.permission_suggestions,
    needsPerson: request.requires_user_interaction === true || NEEDS_PERSON.has(request.tool_name),
    // Sent as a flag or as the rule itself; either way the user's own settings say "ask".
    matchedAskRule: Boolean(request.matched_ask_rule),
    noAlways: request.suppress_always_allow_rule === true,
    defaultToNo: request.default_to_no === true,
  });
  return { kind: "asked", ask };
}

// Older versions do not say which tools need a person.
const NEEDS_PERSON = new Set(["AskUserQuestion", "ExitPlanMode"]);

function replied(response: Of<"control_response">["response"]): AgentEvent {
  const { request_id: wireId, subtype, error, error_code: code } = response;
  if (subtype === "success") {
    return { kind: "replied", wireId, reply: { ok: true, response: response.response } };
  }
  return { kind: "replied", wireId, reply: present({ ok: false, error: error ?? "", code }) };
}

type Present<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Leaves out fields that are undefined: in our words an absent field is absent. */
function present<const T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
