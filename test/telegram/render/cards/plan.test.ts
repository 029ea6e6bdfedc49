import { expect, test } from "vitest";
import type { RequestId } from "../../../../src/core/ids.ts";
import type { Outcome, PlanView } from "../../../../src/core/view.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { draw, expectSendable } from "../draw.ts";

const at = Date.UTC(2026, 0, 1, 14, 3);
const aPlan = (fields: Partial<PlanView> = {}): PlanView => ({
  kind: "plan",
  requestId: "r1" as RequestId,
  project: "web",
  plan: "# Fix login\n\n1. Read `auth.ts`\n2. **Test** it",
  stage: "first",
  ...fields,
});

test("a short plan is one card with three buttons", () => {
  expect(draw(aPlan())).toMatchInlineSnapshot(`
    "--- message
    📋 <bold>Claude has a plan</bold> · web

    <bold><underline>Fix login</underline></bold>

    1. Read <code>auth.ts</code>
    2. <bold>Test</bold> it
    [Approve | v1:approve:r1 success] [Deny | v1:refuse:r1 danger]
    [Pause & Outline Plan | v1:pause:r1 primary]
    [Approve & accept edits | v1:approveedits:r1]"
  `);
});

test("an outline comes with approve, deny and discuss", () => {
  const { plan: _, ...view } = aPlan({ stage: "outlined", outline: "First the tests, then the fix." });
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    📋 <bold>The outline of the plan</bold> · web

    First the tests, then the fix.
    [Approve | v1:approve:r1 success] [Deny | v1:refuse:r1 danger]
    [Let's discuss | v1:discuss:r1 primary]
    [Approve & accept edits | v1:approveedits:r1]"
  `);
});

test("a plan that came again without its outline can be paused again", () => {
  expect(draw(aPlan({ stage: "again" }))).toMatchInlineSnapshot(`
    "--- message
    📋 <bold>Claude has a plan</bold> · web

    <bold><underline>Fix login</underline></bold>

    1. Read <code>auth.ts</code>
    2. <bold>Test</bold> it

    <italic>No outline came. You can ask for it once more.</italic>
    [Approve | v1:approve:r1 success] [Deny | v1:refuse:r1 danger]
    [Pause & Outline Plan | v1:pause:r1 primary]
    [Approve & accept edits | v1:approveedits:r1]"
  `);
});

test("a plan that was approved by itself is only to be read", () => {
  expect(draw(aPlan({ stage: "read" }))).toMatchInlineSnapshot(`
    "--- message
    📋 <bold>Claude has a plan</bold> · web

    <bold><underline>Fix login</underline></bold>

    1. Read <code>auth.ts</code>
    2. <bold>Test</bold> it

    <italic>Approved by itself, as /planmode auto says. This is for you to read.</italic>"
  `);
});

test("a plan without a text says so", () => {
  const { plan: _, ...view } = aPlan();
  expect(draw(view)).toMatchInlineSnapshot(`
    "--- message
    📋 <bold>Claude has a plan</bold> · web

    <italic>Claude gave no text with this plan.</italic>
    [Approve | v1:approve:r1 success] [Deny | v1:refuse:r1 danger]
    [Pause & Outline Plan | v1:pause:r1 primary]
    [Approve & accept edits | v1:approveedits:r1]"
  `);
});

test("a plan that is over says first how", () => {
  expect(draw(aPlan({ outcome: { kind: "allowed", by: "Ann", at } }))).toMatchInlineSnapshot(`
    "--- message
    <bold>✅ Approved by Ann · 14:03</bold>

    📋 <bold>Claude has a plan</bold> · web

    <bold><underline>Fix login</underline></bold>

    1. Read <code>auth.ts</code>
    2. <bold>Test</bold> it"
  `);
});

const outcomes: Outcome[] = [
  { kind: "paused", by: "Ann", at },
  { kind: "denied", by: "A".repeat(500), at, reason: "because README.md ".repeat(100) },
];

test("whatever becomes of a plan, only its last message changes, at every length", () => {
  const paragraph = `${"one step, `code` and more; ".repeat(5)}\n\n`;
  for (const count of [0, 1, 10, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 60, 90]) {
    const view = aPlan({ plan: `# Plan\n\n${paragraph.repeat(count)}end` });
    const before = renderView(view);
    expectSendable(before);
    for (const outcome of outcomes) {
      const after = renderView({ ...view, outcome });
      expectSendable(after);
      expect(after.messages.length).toBe(before.messages.length);
      expect(after.messages.slice(0, -1)).toEqual(before.messages.slice(0, -1));
      expect(after.messages.at(-1)).not.toHaveProperty("buttons");
    }
    const all = before.messages.map(({ text }) => text).join("\n");
    expect(all).toContain("end");
  }
});

test("a plan of many messages ends in a short card of its own", () => {
  const rendered = renderView(aPlan({ plan: "One step.\n\n".repeat(1000) }));
  expectSendable(rendered);
  expect(rendered.messages).toHaveLength(4);
  expect(rendered.messages.at(-1)?.text).toMatchInlineSnapshot(`
    "📋 Claude has a plan · web

    The whole plan is above."
  `);
});

test("a plan longer than anyone reads in a chat is a file, with its beginning above the card", () => {
  const plan = "One step.\n\n".repeat(10_000);
  const rendered = renderView(aPlan({ plan }));
  expectSendable(rendered);
  expect(rendered.messages).toHaveLength(4);
  expect(rendered.file).toEqual({ name: "plan.md", content: plan });
  expect(rendered.messages.at(-1)?.text).toContain("The plan goes on in the file.");
});
