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
      change: { added: 123_456, removed: 123_456 },
      notes: [long, long, long, long],
      body: Array.from({ length: 20 }, () => ({ label: long, text: long })),
    },
    dangers: Array.from({ length: 9 }, () => ({ why: long, what: long })),
    hidden: 123_456,
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

const anEdit: ToolView = {
  kind: "file_change",
  name: "Edit",
  title: "src/app.ts",
  change: { added: 2, removed: 1 },
  notes: ["Replaces all 2 places"],
  body: [
    {
      text: "@@ -1,3 +1,3 @@\n const a = 1;\n-@@ old\n+new\n const c = 3;\n@@ -9,1 +9,2 @@\n end\n+more",
      language: "diff",
    },
  ],
};

test("a change of a file is a difference, with how many lines come and go", () => {
  expect(draw(aRequest({ tool: anEdit }))).toMatchInlineSnapshot(`
    "--- message
    ✏️ <bold>Edit</bold> · web

    <code>src/app.ts</code> +2 −1
    Replaces all 2 places

    <pre diff> const a = 1;
    -@@ old
    +new
     const c = 3;
    …
     end
    +more</pre>
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
});

test("a long difference is cut, and all of it is a file of its own kind", () => {
  const lines = Array.from({ length: 200 }, (_, at) => `+line ${at}`);
  const body = [{ text: ["@@ -0,0 +1,200 @@", ...lines].join("\n"), language: "diff" }];
  const { messages, file } = renderView(aRequest({ tool: { ...anEdit, body } }));
  expect(messages[0]?.text).toMatch(/\+line 0\n[^]*… \d+ lines …[^]*\+line 199/);
  expect(file?.name).toBe("change.diff");
  expect(file?.content).toMatch(/^--- a\/src\/app.ts\n\+\+\+ b\/src\/app.ts\n@@ -0,0 \+1,200 @@\n\+line 0\n/);
});

test("a new file, and an edit that will fail, say so above the input", () => {
  const tool = (note: string): ToolView => ({
    kind: "file_change",
    name: "Write",
    title: "a.txt",
    notes: [note],
    body: [{ text: "hello" }],
  });
  expect(draw(aRequest({ tool: tool("New file, 1 line") }))).toMatchInlineSnapshot(`
    "--- message
    ✏️ <bold>Write</bold> · web

    <code>a.txt</code>
    New file, 1 line

    <pre>hello</pre>
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
  const failing = "⚠️ Claude's edit will most likely fail: the text to replace is not in the file";
  expect(draw(aRequest({ tool: tool(failing) }))).toMatchInlineSnapshot(`
    "--- message
    ✏️ <bold>Write</bold> · web

    <code>a.txt</code>
    ⚠️ Claude's edit will most likely fail: the text to replace is not in the file

    <pre>hello</pre>
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
});

test("what deserves a second look is marked with why, before anything else", () => {
  const dangers = ["a.com", "rm -rf build", "sudo\nls", "x".repeat(500), "more"].map((what) => ({
    why: "does harm",
    what,
  }));
  expect(draw(aRequest({ tool: bash("rm -rf build"), dangers }))).toMatchInlineSnapshot(`
    "--- message
    💻 <bold>Bash</bold> · web

    ⚠️ <bold>does harm</bold>: <code>a.com</code>
    ⚠️ <bold>does harm</bold>: <code>rm -rf build</code>
    ⚠️ <bold>does harm</bold>: <code>sudo⏎ls</code>
    ⚠️ and 2 more

    <pre bash>rm -rf build</pre>
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
});

test("hidden secrets are counted, and shown to the one who asks", () => {
  const view = aRequest({ tool: bash("TOKEN=•••• npm start"), hidden: 1 });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    💻 <bold>Bash</bold> · web

    <pre bash>TOKEN=•••• npm start</pre>

    🔒 1 secret hidden
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]
    [Show hidden | v1:reveal:r1]"
  `);
  const long = renderView(aRequest({ tool: bash("x".repeat(9000)), hidden: 2, care: "armed" })).messages[0];
  expect(long?.text).toContain("🔒 2 secrets hidden");
  expect(long?.buttons?.at(-1)).toEqual([
    { label: "Show all", data: "v1:full:r1" },
    { label: "Show hidden", data: "v1:reveal:r1" },
  ]);
  const over = renderView({ ...view, outcome: { kind: "denied", by: "Ann", at } }).messages[0];
  expect(over).not.toHaveProperty("buttons");
});

test("a fetch says first where it goes, in letters that cannot be mistaken", () => {
  const tool: ToolView = {
    kind: "web_search",
    name: "WebFetch",
    title: "xn--pple-43d.com (looks like аpple.com)",
    body: [
      { label: "URL", text: "https://аpple.com/login" },
      { label: "Prompt", text: "Sum it up @everyone" },
    ],
  };
  expect(draw(aRequest({ tool }))).toMatchInlineSnapshot(`
    "--- message
    🌐 <bold>WebFetch</bold> · web

    <code>xn--pple-43d.com (looks like аpple.com)</code>

    <code>URL</code>
    <pre>https://аpple.com/login</pre>
    <code>Prompt</code>
    <pre>Sum it up @everyone</pre>
    [Allow | v1:allow:r1 success] [Deny | v1:deny:r1 danger]"
  `);
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
