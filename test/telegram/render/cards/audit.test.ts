import { expect, test } from "vitest";
import type { AuditView } from "../../../../src/core/view.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { detect } from "../../../../src/telegram/render/detect.ts";
import { draw, expectSendable } from "../draw.ts";

const at = Date.UTC(2026, 2, 3, 14, 3);

test("each decision is one line: when, who, what, where, about what, by which rule", () => {
  expect(
    draw({
      kind: "audit",
      entries: [
        { at, who: "Ann", what: "allow", tool: "Bash", subject: "Bash · npm test", project: "web" },
        { at, who: "policy", what: "deny", tool: "Edit", subject: "Edit · a.ts", rule: "approvals.rules[0]" },
        { at, who: "Ann", what: "allow", tool: "ExitPlanMode", subject: "the plan" },
        { at, who: "Ann", what: "enable" },
      ],
    }),
  ).toMatchInlineSnapshot(`
    "--- message
    <bold>📒 The last decisions</bold>

    3 Mar 14:03 · Ann · allow · web · <code>Bash · npm test</code>
    3 Mar 14:03 · policy · deny · <code>Edit · a.ts</code> · <code>approvals.rules[0]</code>
    3 Mar 14:03 · Ann · allow · <code>ExitPlanMode · the plan</code>
    3 Mar 14:03 · Ann · enable"
  `);
});

test("nothing to tell is said, with what was asked about", () => {
  expect(draw({ kind: "audit", entries: [] })).toBe("--- message\nNothing was decided yet.");
  expect(draw({ kind: "audit", about: "web", entries: [] })).toContain(
    "Nothing was decided about <code>web</code> yet.",
  );
});

test.each(["a.md @x /cancel ", "\u202E\u001b[2J\n", "👨‍👩‍👧‍👦", "x".repeat(500)])(
  "twenty lines of %j fit into one message, and nothing in them can be tapped",
  (nasty) => {
    const text = nasty.repeat(40);
    const entry = { at, who: text, what: "withdrawn", tool: text, subject: text, rule: text, project: "p" };
    const view: AuditView = { kind: "audit", about: text, entries: Array.from({ length: 20 }, () => entry) };
    const rendered = renderView(view, { timeZone: "UTC" });
    expectSendable(rendered);
    const [card] = rendered.messages;
    expect(card?.text.match(/3 Mar 14:03/g)).toHaveLength(20);
    const code = card?.entities.filter(({ type }) => type === "code") ?? [];
    const tappable = detect(card?.text ?? "").filter(({ offset, length }) =>
      code.every((entity) => entity.offset >= offset + length || entity.offset + entity.length <= offset),
    );
    expect(tappable).toEqual([]);
  },
);
