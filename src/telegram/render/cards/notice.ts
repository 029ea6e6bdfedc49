import type { NoticeView } from "../../../core/view.ts";
import { paragraphs, pre } from "../builder.ts";
import type { Rendered } from "../rendered.ts";
import { button } from "./buttons.ts";
import { excerpt } from "./excerpt.ts";
import { message } from "./message.ts";

/** Draws a line of ours, with code below it and a button for each thing that can be done. */
export function renderNotice(view: NoticeView): Rendered {
  const { code, actions = [], silent } = view;
  const text = paragraphs(
    `${icons[view.tone]} ${excerpt(view.text, 2500).text}`,
    code === undefined || code.trim() === "" ? undefined : pre(excerpt(code, 1000).text),
  );
  const buttons = actions.map(({ label, tap, style }) => [button(label, tap, style)]);
  return { messages: [message(text, { buttons, silent })] };
}

const icons: Record<NoticeView["tone"], string> = { info: "ℹ️", good: "✅", warning: "⚠️", error: "❌" };
