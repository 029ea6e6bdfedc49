#!/usr/bin/env node
// The least that the bot takes for Claude Code: it answers every prompt at once and then idles. A prompt "ask 16" makes it
// ask for leave sixteen times first.
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  process.stdout.write("2.1.197 (bare stand-in)\n");
  process.exit(0);
}

const session_id = process.argv[process.argv.indexOf("--session-id") + 1];
const waiting = new Set();
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const answer =
  "The tests pass now. The cause was a **race** in `src/queue.ts`: two workers took the same job.\n\n".repeat(
    20,
  );

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "control_request") obey(message);
  if (message.type === "control_response") answered(message.response.request_id);
  if (message.type === "user") take(message);
});

function obey({ request_id, request }) {
  say({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
  if (request.subtype === "end_session") process.exit(0);
}

function take(prompt) {
  const { content } = prompt.message;
  say({ type: "system", subtype: "init", session_id, model: "bare", permissionMode: "default", tools: [] });
  say({ ...prompt, session_id, isReplay: true });
  const [, count = "0"] = /^ask (\d+)$/.exec(content) ?? [];
  for (let number = 1; number <= Number(count); number += 1) ask(number);
  if (waiting.size === 0) finish();
}

function ask(number) {
  const request_id = randomUUID();
  const tool = { name: "Bash", input: { command: `npm run step-${number}`, description: "Run a step" } };
  waiting.add(request_id);
  assistant([{ type: "tool_use", id: request_id, ...tool }]);
  const request = {
    subtype: "can_use_tool",
    tool_name: tool.name,
    input: tool.input,
    tool_use_id: request_id,
  };
  say({ type: "control_request", request_id, request });
}

function answered(request_id) {
  if (!waiting.delete(request_id)) return;
  const content = [{ type: "tool_result", tool_use_id: request_id, content: "done", is_error: false }];
  say({ type: "user", message: { role: "user", content }, session_id, uuid: randomUUID() });
  if (waiting.size === 0) finish();
}

function finish() {
  assistant([{ type: "text", text: answer }]);
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    result: answer,
    num_turns: 1,
    total_cost_usd: 0.01,
    duration_ms: 1,
    session_id,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
}

function assistant(content) {
  say({ type: "assistant", message: { id: randomUUID(), role: "assistant", content }, session_id });
}
