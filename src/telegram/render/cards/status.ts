import type { StatusView } from "../../../core/view.ts";
import { bold, join, lines, paragraphs } from "../builder.ts";
import type { Rendered } from "../rendered.ts";
import { message } from "./message.ts";
import { inline, short, shortCode } from "./words.ts";

/** Draws a short table of facts, a warning first. */
export function renderStatus({ warning, rows }: StatusView): Rendered {
  const text = paragraphs(
    warning === undefined ? undefined : bold(`⚠️ ${short(warning, 500)}`),
    lines(
      ...rows
        .slice(0, mostRows)
        .map(({ label, value, code }) =>
          join([`${short(label, 40)}: `, code === true ? shortCode(value, 120) : inline(value, 120)]),
        ),
    ),
  );
  return { messages: [message(text.text === "" ? join(["Nothing to tell."]) : text)] };
}

const mostRows = 20;
