import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as frames from "../../src/claude/frames.ts";
import { claudeArgv } from "../../src/claude/options.ts";
import { translate } from "../../src/claude/translate.ts";
import { parseLine } from "../../src/claude/wire.ts";
import type { AgentEvent, Ask, JsonObject } from "../../src/core/agent-event.ts";
import type { PromptId } from "../../src/core/ids.ts";
import { type ClaudeProcess, startClaude } from "./claude-process.ts";
import type { Model } from "./model/model.ts";
import { script } from "./model/script.ts";

/** Where a scenario is played: an empty project, a home of its own, and the model that follows the scripts. */
export type Stage = {
  model: Model;
  cwd: string;
  env: Record<string, string>;
  /** Every process the scenario starts, for whoever has to end them. */
  started: ClaudeProcess[];
};

/** The stories that test/recordings tells, each ending with the process it started. */
export const scenarios: Record<string, (stage: Stage) => Promise<ClaudeProcess>> = {
  async approve(stage) {
    const claude = start(stage);
    prompt(claude, script([{ text: "I make a file.", tools: [bash("touch a.txt")] }, { text: "Made." }]));
    const ask = await asked(claude);
    claude.send(frames.allow({ wireId: ask.wireId, input: ask.input }));
    await turns(claude, 1);
    return end(claude);
  },

  async deny(stage) {
    const claude = start(stage);
    const write = { name: "Write", input: { file_path: join(stage.cwd, "a.txt"), content: "one\n" } };
    prompt(claude, script([{ tools: [write] }, { text: "Then not." }]));
    const ask = await asked(claude);
    claude.send(frames.deny({ wireId: ask.wireId, message: "Use another name." }));
    await turns(claude, 1);
    return end(claude);
  },

  async always(stage) {
    const claude = start(stage);
    const again = { tools: [bash("npm --version")] };
    prompt(claude, script([again, again, { text: "Asked once." }]));
    const ask = await asked(claude);
    const permissions = ask.suggestions
      .filter((one) => one["type"] === "addRules")
      .map((rule) => ({ ...rule, destination: "session" }));
    claude.send(frames.allow({ wireId: ask.wireId, input: ask.input, permissions }));
    await turns(claude, 1);
    return end(claude);
  },

  async subagents(stage) {
    const claude = start(stage);
    const agent = (name: string) => ({
      name: "Task",
      input: {
        description: `make ${name}`,
        subagent_type: "general-purpose",
        prompt: script([{ tools: [bash(`touch ${name}.txt`)] }, { text: `${name} is made` }]),
      },
    });
    prompt(claude, script([{ tools: [agent("one"), agent("two")] }, { text: "Both work." }]));
    const asks = await events(claude, "asked", 2);
    for (const { ask } of asks) claude.send(frames.allow({ wireId: ask.wireId, input: ask.input }));
    await turns(claude, 1);
    return end(claude);
  },

  async background(stage) {
    const claude = start(stage);
    // It waits for us on a pipe, so that it ends exactly when this story says so.
    const wait = bash("mkfifo go && cat go");
    const input = { ...wait.input, run_in_background: true };
    prompt(
      claude,
      script([{ tools: [{ ...wait, input }] }, { text: "It runs." }, { text: "It has ended." }]),
    );
    const ask = await asked(claude);
    claude.send(frames.allow({ wireId: ask.wireId, input: ask.input }));
    await turns(claude, 1);
    await writeFile(join(stage.cwd, "go"), "done\n");
    await turns(claude, 2);
    return end(claude);
  },

  async "plan-file"(stage) {
    const claude = start(stage, "plan");
    const write = { name: "Write", input: { file_path: "$PLANFILE", content: "# Plan\n\n1. One\n2. Two\n" } };
    const exit = { name: "ExitPlanMode", input: {} };
    prompt(claude, script([{ tools: [write] }, { tools: [exit] }, { tools: [exit] }, { text: "I start." }]));
    const first = await asked(claude);
    claude.send(frames.deny({ wireId: first.wireId, message: "Outline it first." }));
    const [, second] = await events(claude, "asked", 2);
    if (second) claude.send(frames.allow({ wireId: second.ask.wireId, input: second.ask.input }));
    await turns(claude, 1);
    return end(claude);
  },

  async "ask-question"(stage) {
    const claude = start(stage);
    const options = [
      { label: "Red", description: "Like a rose" },
      { label: "Blue", description: "Like the sky" },
    ];
    const questions = [{ question: "Which colour?", header: "Colour", multiSelect: false, options }];
    prompt(
      claude,
      script([{ tools: [{ name: "AskUserQuestion", input: { questions } }] }, { text: "Red then." }]),
    );
    const ask = await asked(claude);
    const input: JsonObject = { ...ask.input, answers: { "Which colour?": "Red" } };
    claude.send(frames.allow({ wireId: ask.wireId, input }));
    await turns(claude, 1);
    return end(claude);
  },

  async "interrupt-waiting"(stage) {
    const claude = start(stage);
    prompt(claude, script([{ tools: [bash("touch a.txt")] }, { text: "never said" }]));
    await asked(claude);
    claude.send(frames.interrupt("interrupt-1"));
    await turns(claude, 1);
    return end(claude);
  },

  async steer(stage) {
    const claude = start(stage);
    prompt(
      claude,
      script([{ wait: "steer" }, { tools: [bash("echo one")] }, { text: "One, and two as you say." }]),
    );
    await stage.model.reached("steer");
    prompt(claude, "Say two as well.");
    // The answer to a later line proves that the CLI has read the steering message.
    claude.send(frames.setModel("read-1", "sonnet"));
    await events(claude, "replied", 2);
    stage.model.open("steer");
    await turns(claude, 1);
    return end(claude);
  },

  async "set-mode"(stage) {
    const claude = start(stage);
    claude.send(frames.setPermissionMode("mode-1", "plan"));
    claude.send(frames.setPermissionMode("mode-2", "nonsense"));
    claude.send(frames.setPermissionMode("mode-3", "bypassPermissions"));
    await events(claude, "replied", 4);
    prompt(claude, script([{ text: "I plan." }]));
    await turns(claude, 1);
    return end(claude);
  },

  async "unknown-subtype"(stage) {
    const claude = launch(stage);
    // A tool server of ours makes the CLI send requests that are no permission requests.
    claude.send({
      type: "control_request",
      request_id: "initialize-1",
      request: { subtype: "initialize", hooks: null, sdkMcpServers: ["ours"] },
    });
    claude.send({ type: "control_request", request_id: "bogus-1", request: { subtype: "bogus" } });
    prompt(claude, script([{ text: "Hello." }]));
    const [unknown] = await events(claude, "asked_unknown", 1);
    if (unknown) claude.send(frames.refuse(unknown.wireId, "Signoff does not know this request."));
    await turns(claude, 1);
    return end(claude);
  },

  async "api-retry"(stage) {
    const claude = start(stage);
    const busy = { status: 529, error: "overloaded_error", message: "Overloaded", times: 2 };
    prompt(claude, script([busy, { text: "Here I am." }]));
    await turns(claude, 1);
    return end(claude);
  },

  async "resume-unknown"(stage) {
    const claude = launch(stage, "default", { kind: "resume", id: "11111111-2222-4333-8444-555555555555" });
    claude.send(frames.initialize("initialize-1"));
    await claude.ended;
    return claude;
  },

  async clear(stage) {
    const claude = start(stage);
    prompt(claude, script([{ text: "Before." }]));
    await turns(claude, 1);
    prompt(claude, "/clear");
    await turns(claude, 2);
    prompt(claude, script([{ text: "After." }]));
    await turns(claude, 3);
    return end(claude);
  },
};

function start(stage: Stage, mode = "default"): ClaudeProcess {
  const claude = launch(stage, mode);
  claude.send(frames.initialize("initialize-1"));
  return claude;
}

function launch(
  { cwd, env, started }: Stage,
  mode = "default",
  session: { kind: "new" | "resume"; id: string } = { kind: "new", id: crypto.randomUUID() },
): ClaudeProcess {
  const settings = {
    command: ["claude"] as const,
    allowedTools: [],
    dangerouslySkipPermissions: false,
    useApiBilling: true,
    env: {},
  };
  const rules = { allow: [], deny: [], ask: [] };
  const [, ...args] = claudeArgv(settings, { session, mode, trusted: true, ownPaths: [], rules });
  const claude = startClaude({ args, cwd, env });
  started.push(claude);
  return claude;
}

function prompt(claude: ClaudeProcess, content: string): void {
  claude.send(frames.userPrompt({ promptId: crypto.randomUUID() as PromptId, content }));
}

function bash(command: string) {
  return { name: "Bash", input: { command, description: "a command" } };
}

async function asked(claude: ClaudeProcess): Promise<Ask> {
  const [first] = await events(claude, "asked", 1);
  if (!first) throw new Error("nothing was asked");
  return first.ask;
}

async function turns(claude: ClaudeProcess, count: number): Promise<void> {
  await events(claude, "turn_ended", count);
}

/** Waits until the CLI has said this many things of one kind. */
async function events<Kind extends AgentEvent["kind"]>(
  claude: ClaudeProcess,
  kind: Kind,
  count: number,
): Promise<Extract<AgentEvent, { kind: Kind }>[]> {
  const isKind = (event: AgentEvent): event is Extract<AgentEvent, { kind: Kind }> => event.kind === kind;
  const found = () =>
    claude.lines
      .filter((line) => line.direction === "out")
      .flatMap((line) => translate(parseLine(JSON.stringify(line.message))).events)
      .filter(isKind);
  await claude.said(() => found().length >= count);
  return found();
}

async function end(claude: ClaudeProcess): Promise<ClaudeProcess> {
  claude.send(frames.endSession("end-1"));
  await claude.ended;
  return claude;
}
