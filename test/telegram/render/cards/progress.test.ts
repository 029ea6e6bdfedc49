import { expect, test } from "vitest";
import type { TurnId } from "../../../../src/core/ids.ts";
import type { Activity, ProgressView } from "../../../../src/core/view.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { draw, expectSendable } from "../draw.ts";

const at = Date.UTC(2026, 0, 1, 14, 5);
const aProgress = (fields: Partial<ProgressView> = {}): ProgressView => ({
  kind: "progress",
  turnId: "t1" as TurnId,
  activity: { kind: "thinking" },
  steps: [],
  earlier: 0,
  elapsedMs: 0,
  background: [],
  project: "web",
  ...fields,
});

test("a turn that just began is two quiet lines and a way to stop it", () => {
  expect(draw(aProgress())).toMatchInlineSnapshot(`
    "--- silent message
    <bold>⏳ Thinking…</bold>
    web
    [Stop | v1:stop:t1 danger]"
  `);
});

test("a turn at work shows its last steps, what Claude says and what runs beside it", () => {
  const view = aProgress({
    activity: { kind: "tool", title: "Bash · npm test" },
    steps: [
      { name: "Read", title: "src/app.ts", state: "ok" },
      { name: "Bash", title: "npm run lint", state: "failed" },
      { name: "Bash", title: "rm -rf build", state: "denied" },
      { name: "Grep", title: "TODO", state: "ok", agent: "Explore" },
      { name: "Bash", title: "npm test", state: "running" },
    ],
    earlier: 12,
    elapsedMs: 95_000,
    saying: "Now I run the tests of app.ts.",
    background: ["npm run dev", "npm run watch", "tail -f log"],
    mode: "plan",
  });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- silent message
    🔧 <code>Bash · npm test</code> · 1m 30s
    web · plan mode

    +12 earlier
    ✓ Read <code>src/app.ts</code>
    ✗ Bash <code>npm run lint</code>
    ⛔ Bash <code>rm -rf build</code>
    ✓ ↳ Grep <code>TODO</code>
    … Bash <code>npm test</code>

    <blockquote>Now I run the tests of app.ts.</blockquote>

    💤 Background: <code>npm run dev</code>, <code>npm run watch</code> and 1 more
    [Stop | v1:stop:t1 danger]"
  `);
});

const activities: Activity[] = [
  { kind: "starting" },
  { kind: "thinking" },
  { kind: "tool", title: "Read · README.md" },
  { kind: "waiting", count: 1 },
  { kind: "waiting", count: 2 },
  { kind: "retrying", attempt: 2, maxRetries: 10, until: at, why: "API overloaded" },
  { kind: "background" },
];

test("every state says what is going on", () => {
  const firstLines = activities.map(
    (activity) => draw(aProgress({ activity, background: ["npm run dev"] })).split("\n")[1],
  );
  expect(firstLines).toMatchInlineSnapshot(`
    [
      "<bold>⏳ Starting…</bold>",
      "<bold>⏳ Thinking…</bold>",
      "🔧 <code>Read · README.md</code>",
      "<bold>✋ Waiting for you</bold>",
      "<bold>✋ Waiting for you (2)</bold>",
      "🔁 API overloaded, retry 2 of 10 at 14:05",
      "💤 Background: <code>npm run dev</code>",
    ]
  `);
});

test("a turn that is over is one line without a button", () => {
  const steps = [{ name: "Bash", title: "ls", state: "ok" as const }];
  expect(
    draw(aProgress({ steps, earlier: 13, elapsedMs: 63_000, ended: { how: "done", at } })),
  ).toMatchInlineSnapshot(`
    "--- silent message
    ✓ Done · 1m 3s · 14 steps"
  `);
  expect(draw(aProgress({ steps, elapsedMs: 63_000, ended: { how: "failed", at } }))).toMatchInlineSnapshot(`
    "--- silent message
    ✗ Failed · 1m 3s · 1 step"
  `);
  const stopped = aProgress({ elapsedMs: 3000, background: ["npm run dev"], ended: { how: "stopped", at } });
  expect(draw(stopped)).toMatchInlineSnapshot(`
    "--- silent message
    ⏹ Stopped · 3 s
    💤 Still running in the background: <code>npm run dev</code>"
  `);
});

test("the running time alone changes the message seldom", () => {
  const texts = Array.from({ length: 60 }, (_, second) => draw(aProgress({ elapsedMs: second * 1000 })));
  expect(new Set(texts).size).toBe(6);
});

test("however much happens, it stays within a thousand characters", () => {
  const long = "docs/README.md \u202E".repeat(500);
  const steps = Array.from({ length: 500 }, () => ({
    name: long,
    title: long,
    state: "ok" as const,
    agent: long,
  }));
  const rendered = renderView(
    aProgress({
      steps,
      saying: long,
      background: [long, long, long],
      mode: long,
      activity: { kind: "tool", title: long },
    }),
  );
  expectSendable(rendered);
  expect(rendered.messages[0]?.text.length).toBeLessThanOrEqual(1100);
});
