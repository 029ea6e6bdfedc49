import type { MessageEntity } from "grammy/types";
import { expect } from "vitest";
import type { View } from "../../../src/core/view.ts";
import type { Outgoing } from "../../../src/telegram/outgoing.ts";
import { renderView } from "../../../src/telegram/render/card.ts";
import type { Rendered } from "../../../src/telegram/render/rendered.ts";

/** Draws a view as a reader of a test sees it best: texts with their entities as tags, then the rows of buttons. */
export function draw(view: View): string {
  const rendered = renderView(view, { timeZone: "UTC" });
  expectSendable(rendered);
  const file =
    rendered.file === undefined
      ? []
      : [`--- file ${rendered.file.name}: ${rendered.file.content.length} characters`];
  return [...rendered.messages.map(drawMessage), ...file].join("\n");
}

/** Telegram takes every message of it as it is. */
export function expectSendable({ messages, file }: Rendered): void {
  expect(messages.length).toBeGreaterThan(0);
  for (const { text, entities, buttons = [] } of messages) {
    expect(Array.from(text).length).toBeLessThanOrEqual(4096);
    expect(text.trim()).not.toBe("");
    expect(entities.length).toBeLessThanOrEqual(100);
    for (const { offset, length } of entities) {
      expect(length).toBeGreaterThan(0);
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset + length).toBeLessThanOrEqual(text.length);
    }
    expect(buttons.flat().length).toBeLessThanOrEqual(100);
    for (const button of buttons.flat()) {
      expect(button.label.trim()).not.toBe("");
      expect(button.label.length).toBeLessThanOrEqual(60);
      if ("data" in button) expect(Buffer.byteLength(button.data)).toBeLessThanOrEqual(64);
    }
  }
  for (const { buttons } of messages.slice(0, -1)) expect(buttons).toBeUndefined();
  if (file !== undefined) expect(file.content).not.toBe("");
}

function drawMessage({ text, entities, buttons = [], silent }: Outgoing): string {
  const rows = buttons.map((row) =>
    row
      .map((button) =>
        "url" in button
          ? `[${button.label} → ${button.url}]`
          : `[${button.label} | ${button.data}${button.style ? ` ${button.style}` : ""}]`,
      )
      .join(" "),
  );
  return [silent === true ? "--- silent message" : "--- message", drawText(text, entities), ...rows].join(
    "\n",
  );
}

function drawText(text: string, entities: MessageEntity[]): string {
  let drawn = "";
  for (let at = 0; at <= text.length; at += 1) {
    const ending = entities.filter(({ offset, length }) => offset + length === at).toReversed();
    const beginning = entities.filter(({ offset }) => offset === at);
    drawn +=
      ending.map(({ type }) => `</${type}>`).join("") + beginning.map(openingTag).join("") + (text[at] ?? "");
  }
  return drawn;
}

function openingTag(entity: MessageEntity): string {
  if (entity.type === "pre" && entity.language !== undefined) return `<pre ${entity.language}>`;
  return entity.type === "text_link" ? `<text_link ${entity.url}>` : `<${entity.type}>`;
}
