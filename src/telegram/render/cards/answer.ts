import type { AnswerView } from "../../../core/view.ts";
import { italic, paragraphs } from "../builder.ts";
import { humanDuration } from "../duration.ts";
import type { Rendered } from "../rendered.ts";
import { document } from "./document.ts";
import { message } from "./message.ts";
import { short } from "./words.ts";

/** Draws a turn's final answer: formatted, split where it reads well, and as a file too when it is very long. */
export function renderAnswer(view: AnswerView): Rendered {
  const footer = italic(footerLine(view.footer));
  if (view.markdown.trim() === "") {
    return { messages: [message(paragraphs("Claude is done and had nothing to say.", footer))] };
  }
  const drawn = document(view.markdown, { name: "answer.md", parts: mostParts, partsBesideFile: 2 });
  const rest = drawn.file === undefined ? undefined : "… The whole answer is in the file.";
  const last = drawn.parts.length - 1;
  const messages = drawn.parts.map((part, index) =>
    message(index === last ? paragraphs(part, rest, footer) : part),
  );
  return { messages, ...(drawn.file === undefined ? {} : { file: drawn.file }) };
}

/** About 20 000 characters: more is no longer read in a chat. */
const mostParts = 5;

function footerLine({ durationMs, costUsd, model, background }: AnswerView["footer"]): string {
  return [
    humanDuration(durationMs),
    costUsd === undefined ? undefined : dollars(costUsd),
    model === undefined ? undefined : short(model, 60),
    background === true ? "background" : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

function dollars(costUsd: number): string {
  return costUsd > 0 && costUsd < 0.005 ? "< $0.01" : `$${costUsd.toFixed(2)}`;
}
