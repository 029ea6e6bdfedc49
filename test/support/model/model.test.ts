import { afterEach, beforeEach, expect, test } from "vitest";
import { type Model, startModel } from "./model.ts";
import { script } from "./script.ts";

let model: Model;
beforeEach(async () => {
  model = await startModel();
});
afterEach(() => model.close());

const user = (content: unknown) => ({ role: "user", content });
const assistant = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });

test("the number of answers since the prompt says which step is next, and then there is only ok", async () => {
  const prompt = user(script([{ text: "one" }, { text: "two" }], "Please."));
  expect([
    await say([prompt]),
    await say([prompt, assistant("one"), user("go on")]),
    await say([prompt, assistant("one"), assistant("two")]),
  ]).toEqual(["one", "two", "ok"]);
});

test("the latest script applies, and one inside another belongs to a subagent", async () => {
  const inner = script([{ text: "inner" }]);
  const outer = script([{ tools: [{ name: "Task", input: { prompt: inner } }] }, { text: "outer" }]);
  expect([
    await say([user(outer), assistant("")]),
    await say([user(inner)]),
    await say([
      user(outer),
      assistant(""),
      user([{ type: "text", text: `${script([{ text: "new" }])} and more` }]),
    ]),
  ]).toEqual(["outer", "inner", "new"]);
});

test("an interrupted script is over", async () => {
  const interrupted = { type: "text", text: "[Request interrupted by user]" };
  expect(
    await say([
      user([{ type: "text", text: script([{ text: "one" }]) }, interrupted, { type: "text", text: "go" }]),
    ]),
  ).toBe("ok");
});

test("a tool's output that looks like a script is none", async () => {
  const output = [{ type: "tool_result", tool_use_id: "t", content: script([{ text: "false" }]) }];
  expect(await say([user(script([{ text: "a" }, { text: "true" }])), assistant("a"), user(output)])).toBe(
    "true",
  );
});

test("an error is told as often as the script says, and then the script goes on", async () => {
  const prompt = user(script([{ status: 529, error: "overloaded_error", times: 2 }, { text: "there" }]));
  expect([(await ask([prompt])).status, (await ask([prompt])).status, await say([prompt])]).toEqual([
    529,
    529,
    "there",
  ]);
});

test("a gate holds its answer until it is opened, and lets other sessions through", async () => {
  const held = say([user(script([{ wait: "gate" }, { text: "held" }]))]);
  await model.reached("gate");
  expect(await say([user(script([{ text: "other" }]))], "b")).toBe("other");
  model.open("gate");
  expect(await held).toBe("held");
});

test("the model remembers what it was told", async () => {
  const prompt = user("Do it.");
  const result = user([{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "done" }] }]);
  await say([prompt]);
  await say([prompt, assistant("x"), result]);
  await say([user("Do it. Do it.")], "b");
  await ask([user("a title")], "a", []);
  expect({
    results: model.lastToolResults(SESSIONS.a),
    system: model.systemPrompt(SESSIONS.a),
    told: model.timesTold("Do it."),
    requests: model.requests().map((request) => request.sessionId),
    sideJobs: model.sideJobs().length,
  }).toEqual({
    results: ["done"],
    system: "Be good.",
    told: 3,
    requests: [SESSIONS.a, SESSIONS.a, SESSIONS.b],
    sideJobs: 1,
  });
});

const SESSIONS = {
  a: "00000000-0000-4000-8000-00000000000a",
  b: "00000000-0000-4000-8000-00000000000b",
};

function ask(
  messages: unknown[],
  session: keyof typeof SESSIONS = "a",
  tools: unknown[] = [{ name: "Bash" }],
) {
  const metadata = { user_id: `user_session_${SESSIONS[session]}` };
  const body = JSON.stringify({
    model: "m",
    system: [{ type: "text", text: "Be good." }],
    messages,
    tools,
    metadata,
  });
  return fetch(`${model.url}/v1/messages?beta=true`, { method: "POST", body });
}

async function say(messages: unknown[], session: keyof typeof SESSIONS = "a"): Promise<string> {
  const answer = (await (await ask(messages, session)).json()) as { content: { text: string }[] };
  return answer.content[0]?.text ?? "";
}
