import { z } from "zod";
import type { JsonObject } from "../core/agent-event.ts";

/** One line of Claude's output, read: a message we know, one we do not, or no JSON object at all. */
export type Wire =
  | { kind: "message"; message: WireMessage }
  | { kind: "unknown"; type: string; sessionId?: string }
  | { kind: "garbage"; head: string };

export type WireMessage = z.infer<typeof wireMessage>;
export type Block = z.infer<typeof block> | { type: "unknown"; what: string };

/** Reads one line of Claude's output. It never throws: what it cannot read is a value too. */
export function parseLine(line: string): Wire {
  const value = json(line);
  if (!isObject(value)) return { kind: "garbage", head: line.slice(0, 80) };
  const message = wireMessage.safeParse(value);
  if (message.success) return { kind: "message", message: message.data };
  const sessionId = value["session_id"];
  return {
    kind: "unknown",
    type: typeName(value),
    ...(typeof sessionId === "string" && { sessionId }),
  };
}

// Claude grows every month. Fields that nobody here names are dropped without complaint, and a named one of the wrong
// type counts as absent, so that it never costs the rest of the line.
const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

// What JSON.parse made is JSON all the way down; walking it again would cost time, and the stack when it is deep.
const object = z.custom<JsonObject>(isObject);
const objects = z
  .unknown()
  .optional()
  .transform((value) => (Array.isArray(value) ? value.filter(isObject) : []));
const strings = z
  .unknown()
  .optional()
  .transform((value) => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []));

const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["thinking", "redacted_thinking"]) }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: object.catch({}) }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    is_error: flag,
    content: z.unknown().optional().transform(resultText),
  }),
]);

const content = z
  .unknown()
  .optional()
  .transform((value): Block[] => {
    if (typeof value === "string") return [{ type: "text", text: value }];
    return Array.isArray(value) ? value.map(toBlock) : [];
  });

const speaker = { session_id: text, parent_tool_use_id: text, agent_id: text };

const task = z.object({ task_id: z.string(), task_type: text, description: text });

const usage = z
  .object({
    input_tokens: number,
    output_tokens: number,
    cache_creation_input_tokens: number,
    cache_read_input_tokens: number,
  })
  .optional()
  .catch(undefined);

const wireMessage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("system"),
    subtype: z.string(),
    session_id: text,
    // init, status
    model: text,
    cwd: text,
    claude_code_version: text,
    permissionMode: text,
    // api_retry
    attempt: number,
    max_retries: number,
    retry_delay_ms: number,
    error_status: number,
    error: text,
    // task_started, task_updated, task_notification
    task_id: text,
    task_type: text,
    tool_use_id: text,
    description: text,
    patch: z.object({ status: text }).optional().catch(undefined),
    // background_tasks_changed
    tasks: z
      .unknown()
      .optional()
      .transform((value) => objects.parse(value).flatMap((one) => task.safeParse(one).data ?? [])),
  }),
  z.object({
    type: z.literal("assistant"),
    ...speaker,
    message: z.object({ id: text, model: text, content }),
  }),
  z.object({
    type: z.literal("user"),
    ...speaker,
    uuid: text,
    isReplay: flag,
    message: z.object({ content }),
  }),
  z.object({
    type: z.literal("result"),
    session_id: text,
    subtype: text,
    is_error: flag,
    result: text,
    errors: strings,
    num_turns: number,
    total_cost_usd: number,
    duration_ms: number,
    api_error_status: number,
    terminal_reason: text,
    origin: z.object({ kind: text }).optional().catch(undefined),
    usage,
    modelUsage: z
      .record(z.string(), z.object({ outputTokens: number }).catch({}))
      .optional()
      .catch(undefined),
  }),
  z.object({
    type: z.literal("control_request"),
    request_id: z.string(),
    request: z
      .object({
        subtype: text,
        tool_name: text,
        input: object.optional().catch(undefined),
        tool_use_id: text,
        description: text,
        decision_reason: text,
        decision_reason_type: text,
        blocked_path: text,
        agent_id: text,
        permission_suggestions: objects,
        requires_user_interaction: flag,
        matched_ask_rule: z.unknown().optional(),
        suppress_always_allow_rule: flag,
        default_to_no: flag,
      })
      .optional()
      .catch(undefined),
  }),
  z.object({ type: z.literal("control_cancel_request"), request_id: z.string() }),
  z.object({
    type: z.literal("control_response"),
    response: z.object({
      subtype: text,
      request_id: z.string(),
      response: object.catch({}),
      error: text,
      error_code: text,
    }),
  }),
]);

// Blocks are read one by one, so that an unknown one never loses its siblings.
function toBlock(value: unknown): Block {
  const known = block.safeParse(value);
  if (known.success) return known.data;
  return { type: "unknown", what: `block/${isObject(value) ? typeName(value) : "untyped"}` };
}

function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .flatMap((one: unknown) => {
      if (!isObject(one)) return [];
      return typeof one["text"] === "string" ? [one["text"]] : [`[${typeName(one)}]`];
    })
    .join("\n");
}

function typeName({ type }: JsonObject): string {
  return typeof type === "string" ? type.slice(0, 80) : "untyped";
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
