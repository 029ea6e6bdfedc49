import { expect, test } from "vitest";
import type { AgentEvent, JsonObject, TurnEnd } from "../../src/core/agent-event.ts";
import { denial } from "../../src/core/denial.ts";
import type { PromptId } from "../../src/core/ids.ts";
import {
  advance,
  isIdle as isIdleAt,
  noWork,
  type StepState,
  type Work,
  type WorkFacts,
} from "../../src/core/work.ts";
import { anAsk } from "./an-ask.ts";

const facts: WorkFacts = { at: 5000, titleOf: (tool, input) => `${tool} ${JSON.stringify(input)}` };
const end: TurnEnd = {
  ok: true,
  subtype: "success",
  text: "Done.",
  errors: [],
  turns: 1,
  totalCostUsd: 0,
  durationMs: 1,
  tokens: { input: 0, output: 0 },
};

const begun: AgentEvent = { kind: "session_started", model: "sonnet", mode: "default" };
const over: AgentEvent = { kind: "turn_ended", end };
const said = (text: string, agentId?: string): AgentEvent =>
  agentId === undefined ? { kind: "text", text } : { kind: "text", text, agentId };
const used = (toolUseId: string, tool = "Bash", input: JsonObject = {}): AgentEvent => ({
  kind: "tool_started",
  toolUseId,
  tool,
  input,
});
const ended = (toolUseId: string, output = "", failed = false): AgentEvent => ({
  kind: "tool_ended",
  toolUseId,
  failed,
  output,
});
const retry: AgentEvent = { kind: "retrying", attempt: 2, maxRetries: 10, delayMs: 1500, status: 529 };

const isIdle = (work: Work, now = facts.at): boolean => isIdleAt(work, now);

function fold(...events: AgentEvent[]): Work {
  return events.reduce((work, event) => advance(work, event, facts), noWork);
}

function stateOf(work: Work, toolUseId: string): StepState | undefined {
  return work.turn?.steps.find((step) => step.toolUseId === toolUseId)?.state;
}

test("a turn opens with whatever the main agent does first", () => {
  const first: AgentEvent[] = [begun, { kind: "thinking" }, said("Hello."), used("t1"), retry];
  for (const event of first) expect(fold(event).turn, event.kind).toBeDefined();
});

test("what only informs opens no turn", () => {
  const quiet: AgentEvent[] = [
    // Claude says this of its own commands too, as of a changed model, and they start nothing.
    { kind: "prompt_taken", promptId: "p1" as PromptId },
    { kind: "mode_changed", mode: "plan" },
    { kind: "background", tasks: [] },
    { kind: "asked", ask: anAsk({ toolUseId: "t1" }) },
    { kind: "withdrawn", wireId: "wire-1" },
    { kind: "asked_unknown", wireId: "wire-1", subtype: "bogus" },
    { kind: "replied", wireId: "wire-1", reply: { ok: true, response: { behavior: "deny" } } },
    { kind: "compacted" },
    { kind: "unknown", what: "system/new" },
    ended("t1"),
    over,
  ];
  for (const event of quiet) expect(fold(event).turn, event.kind).toBeUndefined();
});

test("a subagent opens no turn, and its words are not the main agent's", () => {
  const byAgent: AgentEvent[] = [
    said("I am a subagent.", "agent-1"),
    { kind: "thinking", agentId: "agent-1" },
    { kind: "tool_started", toolUseId: "t1", tool: "Bash", input: {}, agentId: "agent-1" },
  ];
  expect(fold(...byAgent)).toEqual(noWork);
  expect(fold(begun, said("I am the main one."), ...byAgent).turn?.saying).toBe("I am the main one.");
});

test("a subagent's tool is a step of the turn that runs, under the subagent's name", () => {
  const { turn } = fold(begun, {
    kind: "tool_started",
    toolUseId: "t1",
    tool: "Bash",
    input: {},
    agentId: "agent-1",
  });
  expect(turn?.steps).toMatchObject([{ toolUseId: "t1", agentId: "agent-1" }]);
});

test("model and mode are the ones said last, and outlast the turn", () => {
  const work = fold(begun, { kind: "mode_changed", mode: "plan" }, over, { kind: "session_started" });
  expect(work).toMatchObject({ model: "sonnet", mode: "plan" });
});

test("a turn shows the last thing said in it, and its steps with their titles", () => {
  const { turn } = fold(begun, said("I look."), used("t1", "Read", { file_path: "a" }), said("I see."));
  expect(turn?.saying).toBe("I see.");
  expect(turn?.steps).toEqual([
    { toolUseId: "t1", tool: "Read", title: 'Read {"file_path":"a"}', state: "running" },
  ]);
});

test("the last six steps are kept and the earlier ones counted", () => {
  const uses = Array.from({ length: 9 }, (_, index) => used(`t${index + 1}`));
  expect(fold(begun, ...uses.slice(0, 6)).turn?.earlier).toBe(0);
  const { turn } = fold(begun, ...uses, ended("t1"), ended("t9"));
  expect(turn?.earlier).toBe(3);
  expect(turn?.steps.map((step) => `${step.toolUseId} ${step.state}`)).toEqual([
    "t4 running",
    "t5 running",
    "t6 running",
    "t7 running",
    "t8 running",
    "t9 ok",
  ]);
});

test("a tool that ended is ok, or failed", () => {
  const work = fold(begun, used("t1"), used("t2"), ended("t1", "fine"), ended("t2", "exit 1", true));
  expect([stateOf(work, "t1"), stateOf(work, "t2")]).toEqual(["ok", "failed"]);
});

test("a tool that we denied is denied, and other failures with its words inside are not", () => {
  const words = denial("Use another name.");
  expect(stateOf(fold(begun, used("t1"), ended("t1", words, true)), "t1")).toBe("denied");
  expect(stateOf(fold(begun, used("t1"), ended("t1", `exit 1: ${words}`, true)), "t1")).toBe("failed");
});

test("a tool that was stopped while it waited is denied, and a success with such words is none", () => {
  const words = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  expect(stateOf(fold(begun, used("t1"), ended("t1", words, true)), "t1")).toBe("denied");
  expect(stateOf(fold(begun, used("t1"), ended("t1", words)), "t1")).toBe("ok");
});

test("a retry is shown until Claude does something again", () => {
  const waiting = fold(begun, retry);
  expect(waiting.turn?.retry).toEqual({ attempt: 2, maxRetries: 10, until: 6500, status: 529 });
  for (const sign of [said("Hello."), used("t1"), { kind: "thinking" } as const]) {
    expect(advance(waiting, sign, facts).turn, sign.kind).not.toHaveProperty("retry");
  }
});

test("a subagent that works on does not calm the main agent's retry", () => {
  const waiting = fold(begun, retry);
  expect(advance(waiting, said("Still here.", "agent-1"), facts)).toEqual(waiting);
});

test("a plan that was passed to ExitPlanMode is found by its tool use until the turn ends", () => {
  const work = fold(begun, used("t1", "ExitPlanMode", { plan: "1. Do it." }), used("t2", "ExitPlanMode"));
  expect(work.turn?.plans).toEqual({ t1: "1. Do it." });
});

test("the end of a turn clears it and leaves the rest", () => {
  const tasks = [{ taskId: "b1", type: "local_bash", description: "server" }];
  const work = fold(begun, said("Hello."), used("t1"), { kind: "background", tasks }, over);
  expect(work).toEqual({ ...noWork, model: "sonnet", mode: "default", background: tasks });
});

test("the list of background tasks is replaced as a whole, and keeps the process from being idle", () => {
  const tasks = [{ taskId: "b1", type: "local_bash", description: "server" }];
  const busy = fold(begun, { kind: "background", tasks }, over);
  expect(isIdle(busy)).toBe(false);
  expect(isIdle(advance(busy, { kind: "background", tasks: [] }, facts))).toBe(true);
});

test("a process is idle before its first turn and after its last, not in between", () => {
  expect([isIdle(noWork), isIdle(fold(begun)), isIdle(fold(begun, over))]).toEqual([true, false, true]);
});

const created = "Scheduled recurring job 1a2b3c4d (every hour). Session-only.";

test("a cron keeps the process from being idle until it is deleted", () => {
  const ticking = fold(begun, used("t1", "CronCreate"), ended("t1", created), over, begun, over);
  expect(isIdle(ticking)).toBe(false);
  const remove = (id: string) =>
    [used("t2", "CronDelete", { id }), ended("t2", `Cancelled job ${id}.`), over].reduce(
      (work, event) => advance(work, event, facts),
      ticking,
    );
  expect(isIdle(remove("ffffffff"))).toBe(false);
  expect(isIdle(remove("1a2b3c4d"))).toBe(true);
});

test("a cron that could not be made or deleted changes nothing", () => {
  expect(isIdle(fold(used("t1", "CronCreate"), ended("t1", "bad expression", true), over))).toBe(true);
  const kept = fold(
    used("t1", "CronCreate"),
    ended("t1", created),
    used("t2", "CronDelete", { id: "1a2b3c4d" }),
    ended("t2", "no permission", true),
    over,
  );
  expect(isIdle(kept)).toBe(false);
});

test("a cron made by a subagent after the turn ended counts too", () => {
  const call = {
    kind: "tool_started",
    toolUseId: "t1",
    tool: "CronCreate",
    input: {},
    agentId: "a",
  } as const;
  expect(isIdle(fold(begun, over, call, ended("t1", created)))).toBe(false);
});

test("a wake-up keeps the process from being idle until its time and some lateness have passed", () => {
  const call = used("t1", "ScheduleWakeup", { delaySeconds: 60 });
  const asleep = fold(begun, call, ended("t1", "Next wakeup scheduled for 10:00"), over, begun, over);
  expect(isIdle(asleep, facts.at + 61_000)).toBe(false);
  expect(isIdle(asleep, facts.at + 60_000 + 120_001)).toBe(true);
});

test("a cron that fires once holds the process for a day at the most", () => {
  const call = used("t1", "CronCreate", { recurring: false });
  const waiting = fold(begun, call, ended("t1", "Scheduled one-shot task 1a2b3c4d."), over);
  expect(isIdle(waiting, facts.at + 23 * 3_600_000)).toBe(false);
  expect(isIdle(waiting, facts.at + 25 * 3_600_000)).toBe(true);
});

test("a wake-up that Claude refused to schedule is none", () => {
  const refused = "Wakeup not scheduled. Either the /loop dynamic runtime gate is off or …";
  expect(isIdle(fold(begun, used("t1", "ScheduleWakeup"), ended("t1", refused), over))).toBe(true);
  expect(isIdle(fold(begun, used("t1", "ScheduleWakeup"), ended("t1", "no", true), over))).toBe(true);
});

test("folding changes no earlier state", () => {
  const before = fold(begun, used("t1", "CronCreate"), retry);
  const copy = structuredClone(before);
  for (const event of [ended("t1", created), said("Hello."), used("t2"), over]) advance(before, event, facts);
  expect(before).toEqual(copy);
});
