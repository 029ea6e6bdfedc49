import { expect, test } from "vitest";
import type { RequestId } from "../../src/core/ids.ts";
import { maskRequest } from "../../src/core/mask-request.ts";
import type { RequestView } from "../../src/core/view.ts";

const secret = "correct-horse-1234567";
const text = `PASSWORD=${secret}`;
const view: RequestView = {
  kind: "request",
  requestId: "r1" as RequestId,
  project: "web",
  tool: { kind: "command", name: "Bash", title: text, body: [{ text }, { label: "Also", text }] },
  description: text,
  reason: text,
  always: { rule: `Bash(${text} *)`, reach: "project" },
  dangers: [{ why: "runs as root", what: text }],
  outcome: { kind: "allowed", by: "Ann", at: 1, always: { rule: `Bash(${text} *)`, reach: "project" } },
};

test("no part of a card holds a secret, and what is said once is counted", () => {
  const masked = maskRequest(view);
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(masked.hidden).toBe(4);
  expect(masked.tool.body[0]).toEqual({ text: "PASSWORD=••••4567" });
  expect(masked.always).toEqual({ rule: "Bash(PASSWORD=••••4567 *)", reach: "project" });
});

test("a request without a secret stays as it is", () => {
  const { kind, requestId, project, tool } = view;
  const plain = { kind, requestId, project, tool: { ...tool, title: "ls", body: [{ text: "ls" }] } };
  expect(maskRequest(plain)).toEqual(plain);
});
