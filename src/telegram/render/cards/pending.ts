import type { PendingView } from "../../../core/view.ts";
import type { OutgoingButton } from "../../outgoing.ts";
import { bold, join, lines, paragraphs } from "../builder.ts";
import { clockTime } from "../duration.ts";
import type { FormattedText } from "../formatted.ts";
import type { Rendered, RenderOptions } from "../rendered.ts";
import { webAddress } from "../web-address.ts";
import { button } from "./buttons.ts";
import { message } from "./message.ts";
import { inline, short, shortCode } from "./words.ts";

/** Draws the list of all that waits for a person, with a button that brings each card back. */
export function renderPending({ items }: PendingView, options: RenderOptions): Rendered {
  if (items.length === 0) return { messages: [message(join(["✓ Nothing waits for you."]))] };
  const shown = items.slice(0, mostItems);
  const rest = items.length - shown.length;
  const text = paragraphs(
    bold(items.length === 1 ? "✋ One thing waits for you" : `✋ ${items.length} things wait for you`),
    ...shown.map((item, index) => drawItem(item, index, options)),
    rest > 0 ? `… and ${rest} more` : undefined,
  );
  return { messages: [message(text, { buttons: shown.map(drawRow) })] };
}

const mostItems = 15;
type Item = PendingView["items"][number];

function drawItem(item: Item, index: number, options: RenderOptions): FormattedText {
  const subagent = item.agent === undefined ? [] : ["subagent ", inline(item.agent, 40), " · "];
  const facts = [
    `${short(item.project, 40)} · `,
    ...subagent,
    `asked ${clockTime(item.askedAt, options.timeZone)}`,
  ];
  return lines(join([`${index + 1}. `, shortCode(item.title, 80)]), join(facts));
}

function drawRow({ requestId, title, link }: Item, index: number): OutgoingButton[] {
  const show = button(`${index + 1}. ${short(title, 40)}`, { verb: "show", requestId });
  // One address that Telegram dislikes would cost the whole message.
  const url = link === undefined ? undefined : webAddress(link);
  return url === undefined ? [show] : [show, { label: "Go there", url }];
}
