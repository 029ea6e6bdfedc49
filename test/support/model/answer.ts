import type { ServerResponse } from "node:http";
import type { Step } from "./script.ts";

export type Block =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

/** The content blocks of one step; `$PLANFILE` in tool inputs becomes the plan file's path. */
export function blocksOf(step: Step, id: string, planFile: string | undefined): Block[] {
  const blocks: Block[] = [];
  if (step.text !== undefined) blocks.push({ type: "text", text: step.text });
  for (const [index, tool] of (step.tools ?? []).entries()) {
    const input = JSON.stringify(tool.input).replaceAll("$PLANFILE", () =>
      JSON.stringify(planFile ?? "$PLANFILE").slice(1, -1),
    );
    blocks.push({ type: "tool_use", id: `toolu_${id}_${index}`, name: tool.name, input: JSON.parse(input) });
  }
  return blocks.length > 0 ? blocks : [{ type: "text", text: "ok" }];
}

/** Writes an answer the way Anthropic's API does: a stream of events, or one JSON body when no stream was asked for. */
export function writeAnswer(
  response: ServerResponse,
  answer: { id: string; model: string; stream: boolean; blocks: Block[] },
): void {
  const { id, model, stream, blocks } = answer;
  const stopReason = blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  const message = { id, type: "message", role: "assistant", model, stop_sequence: null };
  if (!stream) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...message, content: blocks, stop_reason: stopReason, usage: USAGE }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const events: StreamEvent[] = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage: USAGE } },
    ...blocks.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: USAGE.output_tokens },
    },
    { type: "message_stop" },
  ];
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

/** Writes an API error in Anthropic's shape. */
export function writeError(response: ServerResponse, step: Step): void {
  response.writeHead(step.status ?? 500, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      type: "error",
      error: { type: step.error ?? "api_error", message: step.message ?? "scripted error" },
    }),
  );
}

const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

type StreamEvent = { type: string; [field: string]: unknown };

function blockEvents(block: Block, index: number): StreamEvent[] {
  const start =
    block.type === "text"
      ? { type: "text", text: "" }
      : { type: "tool_use", id: block.id, name: block.name, input: {} };
  const delta =
    block.type === "text"
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  return [
    { type: "content_block_start", index, content_block: start },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}
