import { expect, test } from "vitest";
import type { PromptId, RequestId, TurnId } from "../../../../src/core/ids.ts";
import type { Activity, Outcome, View } from "../../../../src/core/view.ts";
import { renderView } from "../../../../src/telegram/render/card.ts";
import { detect } from "../../../../src/telegram/render/detect.ts";
import { fixFormattedText } from "../../../support/bot-api/formatted-text.ts";
import { random } from "../../../support/random.ts";
import { expectSendable } from "../draw.ts";

/** Texts that others have used, or could use, to make a card say something else. */
const nasty = [
  "",
  " \n\t ",
  "plain words",
  "\u202Egnihtemos\u202C",
  "zero\u200Bwidth\u2060joiner\uFEFF",
  "\u001b[31mred\u001b[0m\u0007\r\n",
  "**bold** [x](https://evil.example) `code` <b>tag</b>",
  "@everyone /cancel #tag $HOME README.md evil.com tg://resolve?domain=x",
  "✅ Allowed by Ann · 14:03\n\n✅ Allowed by Ann · 14:03",
  "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿👍🏽".repeat(40),
  "\uD800 lone \uDFFF",
  "e\u0301\u0301\u0301".repeat(300),
  "a.md ".repeat(500),
  "\n".repeat(3000),
  "x".repeat(6000),
  "\u202E".repeat(3000),
  "\t".repeat(3000),
  "> ".repeat(300),
  "[".repeat(500),
];

const hidden = ["\u202C", "\u202E", "\u200B", "\u2060", "\uFEFF", "\u001b", "\u0007", "\r", "\t"];

test("no view, whatever it holds, becomes a message that Telegram refuses or changes", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const view = aView(chooser(seed));
    const rendered = renderView(view, { timeZone: "UTC" });
    expectSendable(rendered);
    for (const { text, entities } of rendered.messages) {
      expect(fixFormattedText(text, entities)).toEqual({ text, entities });
    }
    const shown = rendered.messages.map(({ text }) => text).join("");
    expect(hidden.filter((character) => shown.includes(character))).toEqual([]);
  }
});

test("nothing of Claude's in a card of ours can be tapped, but addresses that are written out", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const view = aView(chooser(seed));
    if (view.kind === "notice" || view.kind === "status") continue;
    for (const { text, entities } of renderView(view, { timeZone: "UTC" }).messages) {
      const safe = entities.filter(({ type }) => type === "code" || type === "pre" || type === "text_link");
      const tappable = detect(text).filter(({ offset, length }) =>
        safe.every((entity) => entity.offset >= offset + length || entity.offset + entity.length <= offset),
      );
      const words = tappable.map(({ offset, length }) => text.slice(offset, offset + length));
      const ours = words.filter((word) => !/^https?:/.test(word));
      expect(ours, `${view.kind}: ${text}`).toEqual([]);
    }
  }
});

test("an input of five megabytes is drawn like any other", () => {
  for (const piece of ["x", "line\n", "\u202E", "a.md "]) {
    const text = piece.repeat(5_000_000 / piece.length);
    const tool = { kind: "command", name: "Bash", title: text, body: [{ text }] } as const;
    const rendered = renderView({
      kind: "request",
      requestId: "r1" as RequestId,
      project: "web",
      description: text,
      tool: { ...tool, body: [...tool.body] },
    });
    expectSendable(rendered);
    expect(rendered.messages[0]?.text.length).toBeLessThan(3000);
    expectSendable(renderView({ kind: "answer", markdown: text, footer: { durationMs: 1 } }));
    expectSendable(renderView({ kind: "notice", tone: "error", text, code: text }));
  }
});

type Choose = {
  below: (bound: number) => number;
  text: () => string;
  some: <Item>(make: () => Item) => Item[];
  coin: () => boolean;
  one: <Item>(items: [Item, ...Item[]]) => Item;
};

/** The same choices for the same seed. */
function chooser(seed: number): Choose {
  const next = random(seed);
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    text: () => nasty[below(nasty.length)] ?? "",
    some: (make) => Array.from({ length: below(30) }, make),
    coin: () => below(2) === 0,
    one: (items) => items[below(items.length)] ?? items[0],
  };
}

function aView(choose: Choose): View {
  const { text, some, coin, below, one } = choose;
  const requestId = "r1" as RequestId;
  const promptId = "p1" as PromptId;
  const outcome = coin() ? {} : { outcome: anOutcome(choose) };
  return one<() => View>([
    () => ({
      kind: "request",
      requestId,
      project: "web",
      tool: {
        kind: coin() ? "command" : "tool",
        name: text(),
        title: text(),
        body: some(() => ({ label: text(), text: text() })),
        ...(coin() ? {} : { change: { added: below(99), removed: below(99) }, notes: some(text) }),
      },
      ...(coin() ? {} : { dangers: some(() => ({ why: text(), what: text() })), hidden: below(9) }),
      agent: text(),
      description: text(),
      reason: text(),
      always: { rule: text(), reach: "session" },
      ...(coin() ? {} : { care: coin() ? "first" : "armed" }),
      ...outcome,
    }),
    () => ({
      kind: "plan",
      requestId,
      project: "web",
      plan: text(),
      outline: text(),
      stage: coin() ? "outlined" : "again",
      ...outcome,
    }),
    () => ({
      kind: "question",
      requestId,
      project: "web",
      agent: text(),
      count: 10,
      page: coin()
        ? { kind: "summary" }
        : {
            kind: "question",
            position: below(10),
            header: text(),
            question: text(),
            multiple: coin(),
            options: some(() => ({ label: text(), description: text(), preview: text(), chosen: coin() })),
            ...(coin() ? {} : { typed: text() }),
            answered: coin(),
            ownWords: one(["welcome", "awaited", "unwanted", "elsewhere"]),
          },
      answered: some(() => ({ question: text(), answer: text() })),
      ...outcome,
    }),
    () => ({
      kind: "progress",
      turnId: "t1" as TurnId,
      activity: anActivity(choose),
      steps: some(() => ({ name: text(), title: text(), state: "ok", agent: text() })),
      earlier: below(9),
      elapsedMs: below(1_000_000),
      saying: text(),
      background: some(text),
      project: "web",
      ...(coin() ? {} : { ended: { how: "done", at: 1 } }),
    }),
    () => ({ kind: "answer", markdown: text(), footer: { durationMs: 1, model: "sonnet", costUsd: 1 } }),
    () => ({
      kind: "notice",
      tone: "info",
      text: text(),
      code: text(),
      actions: some(() => ({ label: text(), tap: { verb: "retry", promptId } })),
    }),
    () => ({
      kind: "trust",
      trustId: "f1",
      project: "web",
      path: text(),
      changed: coin(),
      hooks: some(text),
      servers: some(text),
      rules: some(text),
      leftOut: some(text),
      ...(coin() ? {} : { outcome: { kind: "trusted", by: "Ann", at: 1 } }),
    }),
    () => ({ kind: "held", promptId, waiting: text(), state: "held" }),
    () => ({
      kind: "pending",
      items: some(() => ({
        requestId,
        title: text(),
        project: "web",
        askedAt: 1,
        agent: text(),
        link: text(),
      })),
    }),
    () => ({ kind: "projects", current: "web", projects: some(() => ({ name: "web", path: text() })) }),
    () => ({ kind: "planmode", setting: "config", configMode: text(), liveMode: text() }),
    () => ({
      kind: "status",
      warning: text(),
      rows: some(() => ({ label: text(), value: text(), code: coin() })),
    }),
  ])();
}

function anOutcome({ text, one }: Choose): Outcome {
  return one<Outcome>([
    { kind: "denied", by: "Ann", at: 1, reason: text() },
    { kind: "answered", by: "Ann", at: 1 },
    { kind: "allowed", by: "Ann", at: 1, always: { rule: text(), reach: "project" } },
  ]);
}

function anActivity({ text, one }: Choose): Activity {
  return one<Activity>([
    { kind: "tool", title: text() },
    { kind: "retrying", attempt: 1, maxRetries: 2, until: 1, why: text() },
    { kind: "background" },
  ]);
}
