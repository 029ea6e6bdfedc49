import type { JsonObject, PermissionMode } from "../core/agent-event.ts";
import type { PromptId } from "../core/ids.ts";

// Each function gives one whole line for Claude's stdin. The CLI ends at once on half a line or two glued together.

/** The first line of every process. */
export function initialize(wireId: string): string {
  return controlRequest(wireId, { subtype: "initialize", hooks: null });
}

/** A prompt: text, or content blocks. Claude runs the same id once, however often it is sent. */
export function userPrompt(prompt: { promptId: PromptId; content: string | JsonObject[] }): string {
  return line({
    type: "user",
    uuid: prompt.promptId,
    session_id: "",
    parent_tool_use_id: null,
    message: { role: "user", content: prompt.content },
  });
}

/** Lets a tool run with this input, and hands rules back for Claude to enforce from now on. */
export function allow(answer: { wireId: string; input: JsonObject; permissions?: JsonObject[] }): string {
  return answered(answer.wireId, {
    behavior: "allow",
    updatedInput: answer.input,
    ...(answer.permissions && { updatedPermissions: answer.permissions }),
  });
}

/** Refuses a tool. Claude reads the message; with `stop` the turn ends and it reads the CLI's own words instead. */
export function deny(answer: { wireId: string; message: string; stop?: boolean }): string {
  return answered(answer.wireId, {
    behavior: "deny",
    message: answer.message,
    ...(answer.stop && { interrupt: true }),
  });
}

/** Answers a control request that we cannot serve, so that Claude does not wait for ever. */
export function refuse(wireId: string, error: string): string {
  return line({ type: "control_response", response: { subtype: "error", request_id: wireId, error } });
}

/** Stops the turn that runs now. */
export function interrupt(wireId: string): string {
  return controlRequest(wireId, { subtype: "interrupt" });
}

/** Ends the process and its background tasks. */
export function endSession(wireId: string): string {
  return controlRequest(wireId, { subtype: "end_session" });
}

/** Changes the mode of the live session; a `status` event confirms it. */
export function setPermissionMode(wireId: string, mode: PermissionMode): string {
  return controlRequest(wireId, { subtype: "set_permission_mode", mode });
}

/** Changes the model from the next answer on. */
export function setModel(wireId: string, model: string): string {
  return controlRequest(wireId, { subtype: "set_model", model });
}

function controlRequest(wireId: string, request: JsonObject): string {
  return line({ type: "control_request", request_id: wireId, request });
}

// Never with `toolUseID`: after a kill and a resume, an answer that carries it would run the orphaned tool.
function answered(wireId: string, response: JsonObject): string {
  return line({ type: "control_response", response: { subtype: "success", request_id: wireId, response } });
}

function line(frame: JsonObject): string {
  const json = JSON.stringify(frame);
  // JSON has no raw line break; if this ever fails, a broken line would cost the whole session.
  if (json.includes("\n")) throw new Error("A frame for Claude holds a line break.");
  return `${json}\n`;
}
