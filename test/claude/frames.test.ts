import { expect, test } from "vitest";
import * as frames from "../../src/claude/frames.ts";
import type { PromptId } from "../../src/core/ids.ts";

const HARD = 'two\nlines\r\u2028\u2029 "quoted" \\ \u0000 \ud800 \u{1f600}';
const promptId = "0b6f0c0e-0000-4000-8000-000000000001" as PromptId;

const every: [string, string, unknown][] = [
  [
    "initialize",
    frames.initialize("w"),
    { type: "control_request", request_id: "w", request: { subtype: "initialize", hooks: null } },
  ],
  [
    "userPrompt",
    frames.userPrompt({ promptId, content: HARD }),
    {
      type: "user",
      uuid: promptId,
      session_id: "",
      parent_tool_use_id: null,
      message: { role: "user", content: HARD },
    },
  ],
  [
    "allow",
    frames.allow({ wireId: "w", input: { command: HARD } }),
    answer({ behavior: "allow", updatedInput: { command: HARD } }),
  ],
  [
    "allow with rules",
    frames.allow({ wireId: "w", input: {}, permissions: [{ type: "addRules" }] }),
    answer({ behavior: "allow", updatedInput: {}, updatedPermissions: [{ type: "addRules" }] }),
  ],
  ["deny", frames.deny({ wireId: "w", message: HARD }), answer({ behavior: "deny", message: HARD })],
  [
    "deny and stop",
    frames.deny({ wireId: "w", message: "no", stop: true }),
    answer({ behavior: "deny", message: "no", interrupt: true }),
  ],
  [
    "refuse",
    frames.refuse("w", HARD),
    { type: "control_response", response: { subtype: "error", request_id: "w", error: HARD } },
  ],
  ["interrupt", frames.interrupt("w"), request({ subtype: "interrupt" })],
  ["endSession", frames.endSession("w"), request({ subtype: "end_session" })],
  [
    "setPermissionMode",
    frames.setPermissionMode("w", "plan"),
    request({ subtype: "set_permission_mode", mode: "plan" }),
  ],
  ["setModel", frames.setModel("w", "opus"), request({ subtype: "set_model", model: "opus" })],
];

test.each(every)("%s is one whole line that says exactly what was meant", (_name, line, meant) => {
  expect(line.split("\n")).toEqual([expect.any(String), ""]);
  expect(JSON.parse(line)).toEqual(meant);
});

test("no answer ever names the tool use it is about", () => {
  expect(every.filter(([, line]) => /tooluseid/i.test(line))).toEqual([]);
});

function answer(response: unknown) {
  return { type: "control_response", response: { subtype: "success", request_id: "w", response } };
}

function request(body: unknown) {
  return { type: "control_request", request_id: "w", request: body };
}
