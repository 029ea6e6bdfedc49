import { expect, test } from "vitest";
import { noTasks } from "../../src/claude/tasks.ts";
import { translate } from "../../src/claude/translate.ts";
import { parseLine } from "../../src/claude/wire.ts";
import type { AgentEvent } from "../../src/core/agent-event.ts";
import { recordedLines, recordingNames } from "../support/recordings.ts";

test.each(recordingNames())("the recording %s means what it always meant", (name) => {
  let tasks = noTasks;
  let session = "";
  const story = recordedLines(name).flatMap((line) => {
    const translation = translate(parseLine(line), tasks);
    tasks = translation.tasks;
    const { sessionId = session } = translation;
    const changed = sessionId === session ? [] : [`session ${sessionId}`];
    session = sessionId;
    return [...changed, ...translation.events.map(brief)];
  });
  expect(story.join("\n")).toMatchSnapshot();
});

test("an unknown block costs nothing that stands beside it", () => {
  const content = [
    { type: "text", text: "before" },
    { type: "hologram", size: 3 },
    7,
    { type: "text", text: "after" },
  ];
  expect(eventsOf({ type: "assistant", message: { id: "m", content } })).toEqual([
    { kind: "text", text: "before", messageId: "m" },
    { kind: "unknown", what: "block/hologram" },
    { kind: "unknown", what: "block/untyped" },
    { kind: "text", text: "after", messageId: "m" },
  ]);
});

test("fields of the wrong type count as absent", () => {
  expect(eventsOf({ type: "system", subtype: "init", model: 7, cwd: null, permissionMode: "plan" })).toEqual([
    { kind: "session_started", mode: "plan" },
  ]);
});

test("an unknown type, an unknown subtype and a line that is no JSON are counted", () => {
  const unknown = [{ type: "hologram" }, { type: "system", subtype: "hologram" }, { no: "type" }].flatMap(
    eventsOf,
  );
  expect([...unknown, ...translate(parseLine("{torn")).events]).toEqual([
    { kind: "unknown", what: "hologram" },
    { kind: "unknown", what: "system/hologram" },
    { kind: "unknown", what: "untyped" },
    { kind: "unknown", what: "not JSON" },
  ]);
});

test.each([undefined, "rm -rf /", null, ["rm"]])(
  "nobody is asked to allow a tool whose input is %j; the request is still to be answered",
  (input) => {
    const request = { subtype: "can_use_tool", tool_name: "Bash", input };
    expect(eventsOf({ type: "control_request", request_id: "r", request })).toEqual([
      { kind: "asked_unknown", wireId: "r", subtype: "can_use_tool" },
    ]);
  },
);

test("a control request without a readable body is still to be answered", () => {
  expect(eventsOf({ type: "control_request", request_id: "r", request: 5 })).toEqual([
    { kind: "asked_unknown", wireId: "r", subtype: "" },
  ]);
});

test("everything that decides how a request is asked comes through", () => {
  const suggestion = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const request = {
    subtype: "can_use_tool",
    tool_name: "Read",
    input: { file_path: "/etc/hosts" },
    tool_use_id: "t",
    description: "d",
    decision_reason: "outside",
    decision_reason_type: "workingDir",
    blocked_path: "/etc/hosts",
    agent_id: "a",
    permission_suggestions: [suggestion, "nonsense"],
    requires_user_interaction: true,
    matched_ask_rule: { rule: "Read" },
    suppress_always_allow_rule: true,
    default_to_no: true,
  };
  expect(eventsOf({ type: "control_request", request_id: "r", request })).toEqual([
    {
      kind: "asked",
      ask: {
        wireId: "r",
        tool: "Read",
        input: { file_path: "/etc/hosts" },
        toolUseId: "t",
        description: "d",
        reason: "outside",
        reasonType: "workingDir",
        blockedPath: "/etc/hosts",
        agentId: "a",
        suggestions: [suggestion],
        needsPerson: true,
        matchedAskRule: true,
        noAlways: true,
        defaultToNo: true,
      },
    },
  ]);
});

test("what a command of the CLI prints is not taken for a prompt of ours", () => {
  const content = "<local-command-stdout>Set model to sonnet</local-command-stdout>";
  expect(eventsOf({ type: "user", uuid: "u", isReplay: true, message: { content } })).toEqual([]);
});

test("a subagent's words carry the id it asks under, also where the CLI names only its tool use", () => {
  const lines = [
    {
      type: "system",
      subtype: "task_started",
      task_id: "agent",
      task_type: "local_agent",
      tool_use_id: "use",
    },
    { type: "assistant", parent_tool_use_id: "use", message: { content: [{ type: "text", text: "hi" }] } },
    { type: "assistant", parent_tool_use_id: "other", message: { content: [{ type: "text", text: "hi" }] } },
  ];
  expect(story(lines)).toEqual([
    { kind: "text", text: "hi", agentId: "agent" },
    { kind: "text", text: "hi", agentId: "other" },
  ]);
});

test("a newer CLI's own list of background tasks is believed", () => {
  const lines = [
    {
      type: "system",
      subtype: "background_tasks_changed",
      tasks: [{ task_id: "b", task_type: "local_bash" }, 3],
    },
    { type: "system", subtype: "task_started", task_id: "foreground", task_type: "local_bash" },
    { type: "result", subtype: "success" },
    { type: "system", subtype: "background_tasks_changed", tasks: [] },
  ];
  expect(story(lines).filter((event) => event.kind === "background")).toEqual([
    { kind: "background", tasks: [{ taskId: "b", type: "local_bash", description: "" }] },
    { kind: "background", tasks: [] },
  ]);
});

function eventsOf(message: unknown): AgentEvent[] {
  return translate(parseLine(JSON.stringify(message))).events;
}

function story(messages: unknown[]): AgentEvent[] {
  let tasks = noTasks;
  return messages.flatMap((message) => {
    const translation = translate(parseLine(JSON.stringify(message)), tasks);
    tasks = translation.tasks;
    return translation.events;
  });
}

function brief({ kind, ...rest }: AgentEvent): string {
  return `${kind} ${JSON.stringify(rest)}`;
}
