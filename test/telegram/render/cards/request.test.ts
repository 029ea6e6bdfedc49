import { expect, test } from "vitest";
import type { RequestId } from "../../../../src/core/ids.ts";
import type { Outcome, RequestView, ToolView } from "../../../../src/core/view.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { draw, expectSendable } from "../draw.ts";

const at = Date.UTC(2026, 0, 1, 14, 3);
const bash = (text: string): ToolView => ({
  kind: "command",
  name: "Bash",
  title: text,
  body: [{ text, language: "bash" }],
});
const aRequest = (fields: Partial<RequestView> = {}): RequestView => ({
  kind: "request",
  requestId: "r1" as RequestId,
  tool: bash("npm test"),
  project: "web",
  ...fields,
});

test("a command waits with its exact text and two buttons", () => {
  expect(draw(aRequest())).toMatchInlineSnapshot(`
    "--- message
    💻 <bold>Bash</bold> · web

    <pre bash>npm test</pre>
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
});

test("what a subagent asks says so, with why, and what always would mean", () => {
  const view = aRequest({
    agent: "Explore",
    description: "Run the tests of src/app.ts",
    reason: "Bash is not allowed yet",
    always: { rule: "Bash(npm test *)", reach: "project" },
  });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    💻 <bold>Bash</bold> · web · subagent Explore

    <pre bash>npm test</pre>

    <blockquote>Run the tests of src/app.ts</blockquote>

    Asked because: Bash is not allowed yet

    Always would allow: <code>Bash(npm test *)</code> in this project
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]
    [Always allow Bash(npm test *) | v1:always:r1 primary]"
  `);
});

test("an edit shows its file and both sides", () => {
  const tool: ToolView = {
    kind: "file_change",
    name: "Edit",
    title: "src/app.ts",
    body: [
      { label: "Before", text: "const a = 1;", language: "ts" },
      { label: "After", text: "", language: "ts" },
    ],
  };
  expect(draw(aRequest({ tool }))).toMatchInlineSnapshot(`
    "--- message
    ✏️ <bold>Edit</bold> · web

    <code>src/app.ts</code>

    <code>Before</code>
    <pre ts>const a = 1;</pre>
    <code>After</code>
    <pre ts>(blank)</pre>
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
});

test("a dangerous one takes a second tap, and always is not offered", () => {
  const view = aRequest({
    tool: bash("rm -rf build"),
    care: "first",
    always: { rule: "Bash(rm *)", reach: "project" },
  });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    💻 <bold>Bash</bold> · web

    <pre bash>rm -rf build</pre>
    [Allow… | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
  expect(draw({ ...view, care: "armed" })).toMatchInlineSnapshot(`
    "--- message
    💻 <bold>Bash</bold> · web

    <pre bash>rm -rf build</pre>

    <bold>⚠️ This one can do harm. Allow it all the same?</bold>
    [No, go back | v1:back:r1] [Yes, allow | v1:confirm:r1 danger]"
  `);
});

const outcomes: Outcome[] = [
  { kind: "allowed", by: "Ann", at },
  { kind: "allowed", by: "Ann", at, always: { rule: "Bash(npm test *)", reach: "project" } },
  { kind: "denied", by: "Ann", at },
  { kind: "denied", by: "Ann", at, reason: "too risky, read README.md" },
  { kind: "answered", by: "Ann", at },
  { kind: "paused", by: "Ann", at },
  { kind: "discussing", by: "Ann", at },
  { kind: "withdrawn", at },
  { kind: "ended", at, why: "the session was stopped" },
  { kind: "moved", at },
];

test("a request that is over says first how, and has no buttons", () => {
  expect(
    draw(
      aRequest({
        outcome: { kind: "allowed", by: "Ann", at, always: { rule: "Bash(npm test *)", reach: "project" } },
        always: { rule: "x", reach: "project" },
      }),
    ),
  ).toMatchInlineSnapshot(`
    "--- message
    <bold>✅ Allowed by Ann · 14:03</bold>
    💻 <bold>Bash</bold> · web

    <pre bash>npm test</pre>

    From now on allowed: <code>Bash(npm test *)</code> in this project"
  `);
  const firstLines = outcomes.map((outcome) => draw(aRequest({ outcome })).split("\n")[1]);
  expect(firstLines).toMatchInlineSnapshot(`
    [
      "<bold>✅ Allowed by Ann · 14:03</bold>",
      "<bold>✅ Allowed by Ann · 14:03</bold>",
      "<bold>❌ Denied by Ann · 14:03</bold>",
      "<bold>❌ Denied by Ann · 14:03</bold> — too risky, read <code>README.md</code>",
      "<bold>✅ Answered by Ann · 14:03</bold>",
      "<bold>⏸ Paused for an outline by Ann · 14:03</bold>",
      "<bold>💬 Under discussion · asked by Ann · 14:03</bold>",
      "<bold>↩️ Withdrawn by Claude · 14:03</bold>",
      "<bold>⏹ Ended: the session was stopped · 14:03</bold>",
      "<bold>⬇️ Moved below</bold>",
    ]
  `);
  for (const outcome of outcomes) {
    const { messages } = renderView(
      aRequest({
        outcome,
        care: "armed",
        always: { rule: "x", reach: "project" },
        tool: bash("y".repeat(9000)),
      }),
    );
    expect(messages[0]).not.toHaveProperty("buttons");
  }
});

test("a long command keeps its head and its tail, and the whole is a tap away", () => {
  const rendered = renderView(aRequest({ tool: bash(`echo ${"x".repeat(6000)} && rm -rf /`) }));
  expectSendable(rendered);
  const [card] = rendered.messages;
  expect(card?.text).toMatch(/echo x+\n… 4,\d{3} characters …\nx+ && rm -rf \/$/);
  expect(card?.text.length).toBeLessThan(3000);
  expect(card?.buttons?.at(-1)).toEqual([{ label: "Show all", data: "v1:full:r1" }]);
  expect(rendered.file?.content).toContain(`${"x".repeat(6000)} && rm -rf /`);
});

test("hidden characters and escapes are seen, in the card and in the file", () => {
  const command = `ls \u202E;fr- mr\u202C \u200Bx\u001b[2K\r`;
  expect(draw(aRequest({ tool: bash(command) }))).toMatchInlineSnapshot(`
    "--- message
    💻 <bold>Bash</bold> · web

    <pre bash>ls ⟨U+202E⟩;fr- mr⟨U+202C⟩ ⟨U+200B⟩x⟨ESC⟩[2K⟨CR⟩</pre>
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
  const { file } = renderView(aRequest({ tool: bash(command + "y".repeat(9000)) }));
  expect(file?.content).toContain("ls ⟨U+202E⟩;fr- mr⟨U+202C⟩ ⟨U+200B⟩x⟨ESC⟩[2K⟨CR⟩");
});

test("words of Claude's cannot pose as links, commands or lines of the card", () => {
  const view = aRequest({
    tool: { kind: "tool", name: "evil.com", title: "a\n✅ Allowed by Ann", body: [] },
    agent: "@admin_of_all",
    description: "[click](https://evil.example) *bold* /cancel @everyone\n✅ Allowed by Ann · 14:03",
    reason: "see https://evil.example/x and evil.com",
    always: { rule: "Bash(\n)", reach: "project" },
  });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    🧩 <code>evil.com</code> · web · subagent <code>@admin_of_all</code>

    <code>a⏎✅ Allowed by Ann</code>

    <blockquote>[click](https://evil.example) *bold* <code>/cancel</code> <code>@everyone</code>
    ✅ Allowed by Ann · 14:03</blockquote>

    Asked because: see https://evil.example/x and <code>evil.com</code>

    Always would allow: <code>Bash(⏎)</code> in this project
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]
    [Always allow Bash(⏎) | v1:always:r1 primary]"
  `);
});

test("a card at all its limits loses nothing of what stands below the input", () => {
  const long = "\u202E".repeat(5000);
  const view = aRequest({
    tool: {
      kind: "tool",
      name: long,
      title: long,
      body: Array.from({ length: 20 }, () => ({ label: long, text: long })),
    },
    project: "p".repeat(32),
    agent: long,
    description: long,
    reason: long,
  });
  const waiting = renderView({ ...view, always: { rule: "r".repeat(300), reach: "project" } });
  expectSendable(waiting);
  expect(waiting.messages[0]?.text).toMatch(/Always would allow: r{300} in this project$/);
  const over = renderView({ ...view, outcome: { kind: "denied", by: long, at, reason: long } });
  expectSendable(over);
  expect(over.messages[0]?.text).toContain("Asked because: ");
});

test("a rule that the card cannot show whole is not offered", () => {
  const [card] = renderView(
    aRequest({ always: { rule: `Bash(${"x".repeat(300)})`, reach: "project" } }),
  ).messages;
  expect(card?.text).not.toContain("Always");
  expect(card?.buttons).toHaveLength(1);
});

test("a rule says how far it reaches", () => {
  const lines = (["session", "project"] as const).map((reach) =>
    renderView(aRequest({ always: { rule: "WebSearch", reach } }))
      .messages[0]?.text.split("\n")
      .at(-1),
  );
  expect(lines).toEqual([
    "Always would allow: WebSearch in this session",
    "Always would allow: WebSearch in this project",
  ]);
});
