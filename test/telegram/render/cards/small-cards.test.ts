import { expect, test } from "vitest";
import type { PromptId, RequestId } from "../../../../src/core/ids.ts";
import type { PlanModeView, TrustView } from "../../../../src/core/view.ts";
import { helpText } from "../../../../src/telegram/commands.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { draw, expectSendable } from "../draw.ts";

const at = Date.UTC(2026, 0, 1, 14, 3);
const promptId = "123e4567-e89b-42d3-a456-426614174000" as PromptId;

test("a notice has its tone, its code and its actions", () => {
  expect(
    draw({
      kind: "notice",
      tone: "error",
      text: "Claude could not start.",
      code: "claude: command not found",
      actions: [
        { label: "Try again", tap: { verb: "retry", promptId }, style: "primary" },
        { label: "Start fresh", tap: { verb: "fresh", promptId } },
      ],
      silent: true,
    }),
  ).toMatchInlineSnapshot(`
    "--- silent message
    ❌ Claude could not start.

    <pre>claude: command not found</pre>
    [Try again | v1:retry:123e4567-e89b-42d3-a456-426614174000 primary]
    [Start fresh | v1:fresh:123e4567-e89b-42d3-a456-426614174000]"
  `);
  const tones = (["info", "good", "warning", "error"] as const).map((tone) =>
    draw({ kind: "notice", tone, text: "x" }),
  );
  expect(tones).toMatchInlineSnapshot(`
    [
      "--- message
    ℹ️ x",
      "--- message
    ✅ x",
      "--- message
    ⚠️ x",
      "--- message
    ❌ x",
    ]
  `);
});

test("the help is one message whose commands can be tapped", () => {
  expect(draw({ kind: "notice", tone: "info", text: helpText })).toMatchInlineSnapshot(`
    "--- message
    ℹ️ Write to me, and Claude Code works in your project on your machine. Before it does anything you have not allowed, a card with buttons asks you here.

    On a card
    • Allow: this once. Always allow: also next time; the card shows the exact rule.
    • Deny: not this. Reply to the card to say why.
    • A plan: approve it, deny it, or pause and ask for an outline first.
    • A question: tap an answer, or type your own.

    While Claude works you can keep writing; it reads along. Stop is under the progress message.

    /new starts fresh
    /cancel stops the work
    /status shows what is going on
    /pending lists what waits for you
    /planmode lets Claude plan first
    /project switches the project
    /audit shows what was decided

    Other slash commands, as /compact or /model, go to Claude."
  `);
});

const aTrust = (fields: Partial<TrustView> = {}): TrustView => ({
  kind: "trust",
  trustId: "f1",
  project: "web",
  path: "/home/me/web",
  changed: false,
  hooks: ["PreToolUse: ./check.sh"],
  servers: ["github: npx github-mcp"],
  rules: ["Bash(npm test *)"],
  leftOut: ["CLAUDE.md"],
  ...fields,
});

test("a folder's hooks, servers and rules are listed before it is trusted", () => {
  expect(draw(aTrust())).toMatchInlineSnapshot(`
    "--- message
    🛡 <bold>Trust this folder?</bold> · web

    <code>/home/me/web</code>

    Hooks, run as commands:
    <pre>PreToolUse: ./check.sh</pre>

    MCP servers, started as programs:
    <pre>github: npx github-mcp</pre>

    Rules that allow without asking:
    <pre>Bash(npm test *)</pre>

    Until you trust it, Claude works here without all this. The same goes for <code>CLAUDE.md</code>.
    [Trust | v1:trust:f1 success] [Keep out | v1:distrust:f1 danger]"
  `);
  expect(draw(aTrust({ changed: true, servers: [], rules: [], leftOut: [] }))).toMatchInlineSnapshot(`
    "--- message
    🛡 <bold>Trust this folder?</bold> · web

    <code>/home/me/web</code>

    What this folder brings has changed since it was last decided.

    Hooks, run as commands:
    <pre>PreToolUse: ./check.sh</pre>

    Until you trust it, Claude works here without all this.
    [Trust | v1:trust:f1 success] [Keep out | v1:distrust:f1 danger]"
  `);
});

test("a folder that was decided says how", () => {
  const by = { by: "Ann", at };
  const outcomes = [
    { kind: "trusted", ...by },
    { kind: "refused", ...by },
    { kind: "outdated", at },
  ] as const;
  expect(outcomes.map((outcome) => draw(aTrust({ outcome })).split("\n")[1])).toMatchInlineSnapshot(`
    [
      "<bold>✅ Trusted by Ann · 14:03</bold>",
      "<bold>❌ Kept out by Ann · 14:03</bold>",
      "<bold>↩️ No longer current · 14:03</bold>",
    ]
  `);
});

test("one hook cannot look like two, and a list too long for the card is a file", () => {
  expect(draw(aTrust({ hooks: ["a\nb"], servers: [], rules: [] }))).toContain("<pre>a⏎b</pre>");
  const rendered = renderView(
    aTrust({ hooks: Array.from({ length: 500 }, (_, index) => `Stop: ./hook-${index}.sh`) }),
  );
  expectSendable(rendered);
  expect(rendered.file?.content).toContain("hook-250.sh");
});

test("a held text says what it waits for, and how it ended", () => {
  const view = { kind: "held", promptId, waiting: "Bash · npm test" } as const;
  expect(
    (["held", "sent", "cancelled"] as const).map((state) => draw({ ...view, state })).join("\n"),
  ).toMatchInlineSnapshot(`
    "--- silent message
    ⏳ Claude reads this after you answer: <code>Bash · npm test</code>
    [Deny and send this | v1:denysend:123e4567-e89b-42d3-a456-426614174000 danger]
    --- silent message
    ✓ Claude has it now.
    --- silent message
    ✗ Cancelled; Claude did not get this."
  `);
});

test("all that waits is a list with a button each", () => {
  const item = { requestId: "r1" as RequestId, title: "Bash · npm test", project: "web", askedAt: at };
  const items = [
    item,
    { ...item, requestId: "r2" as RequestId, agent: "Explore", link: "https://t.me/c/1005/9" },
    { ...item, requestId: "r3" as RequestId, link: "javascript:x" },
  ];
  expect(draw({ kind: "pending", items })).toMatchInlineSnapshot(`
    "--- message
    <bold>✋ 3 things wait for you</bold>

    1. <code>Bash · npm test</code>
    web · asked 14:03

    2. <code>Bash · npm test</code>
    web · subagent Explore · asked 14:03

    3. <code>Bash · npm test</code>
    web · asked 14:03
    [1. Bash · npm test | v1:show:r1]
    [2. Bash · npm test | v1:show:r2] [Go there → https://t.me/c/1005/9]
    [3. Bash · npm test | v1:show:r3]"
  `);
  expect(draw({ kind: "pending", items: [] })).toMatchInlineSnapshot(`
    "--- message
    ✓ Nothing waits for you."
  `);
});

test("projects are chosen by a tap", () => {
  const projects = [
    { name: "web", path: "/home/me/web" },
    { name: "api", path: "/home/me/api" },
  ];
  expect(draw({ kind: "projects", current: "web", projects })).toMatchInlineSnapshot(`
    "--- message
    <bold>📁 Which project?</bold>

    ✓ web <code>/home/me/web</code>
    api <code>/home/me/api</code>
    [✓ web | v1:project:web primary]
    [api | v1:project:api]"
  `);
  expect(draw({ kind: "projects", projects: [] })).toMatchInlineSnapshot(`
    "--- message
    There is no project yet. Add one to the config, under [projects]."
  `);
});

test("plan mode is said in words", () => {
  const view: PlanModeView = { kind: "planmode", setting: "on", configMode: "default" };
  expect(
    draw({ ...view, liveMode: "plan", pause: { pauses: 2, remainingMs: 41_500 } }),
  ).toMatchInlineSnapshot(`
    "--- message
    🗺 <bold>Plan mode: on</bold>

    New conversations start with a plan that you approve.
    Right now Claude runs in mode <code>plan</code>.

    ⏸ An outline was asked for 2 times. A plan without one is sent back for another 42 s. Clear forgets this.
    [✓ On | v1:planmode:on] [Off | v1:planmode:off] [Auto | v1:planmode:auto]
    [Clear | v1:planmode:clear]"
  `);
  const settings = (["off", "auto", "config"] as const).map(
    (setting) => draw({ ...view, setting }).split("[")[0],
  );
  expect(settings).toMatchInlineSnapshot(`
    [
      "--- message
    🗺 <bold>Plan mode: off</bold>

    Claude starts to work at once.
    ",
      "--- message
    🗺 <bold>Plan mode: auto</bold>

    Plans are approved by themselves and shown for you to read.
    ",
      "--- message
    🗺 <bold>Plan mode: as in the config</bold>

    New conversations start in mode <code>default</code>.
    ",
    ]
  `);
  expect(draw({ ...view, pause: { pauses: 1, remainingMs: 0 } })).toContain(
    "An outline was asked for once. Clear forgets this.",
  );
});

test("a status is a table of facts, a warning first", () => {
  const rows = [
    { label: "Project", value: "web" },
    { label: "Folder", value: "/home/me/web", code: true },
    { label: "Last file", value: "README.md" },
  ];
  expect(draw({ kind: "status", warning: "Permissions are skipped.", rows })).toMatchInlineSnapshot(`
    "--- message
    <bold>⚠️ Permissions are skipped.</bold>

    Project: web
    Folder: <code>/home/me/web</code>
    Last file: <code>README.md</code>"
  `);
  expect(draw({ kind: "status", rows: [] })).toMatchInlineSnapshot(`
    "--- message
    Nothing to tell."
  `);
});
