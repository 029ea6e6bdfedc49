import type { QuestionView } from "../../../core/view.ts";
import type { OutgoingButton } from "../../outgoing.ts";
import { blockquote, italic, join, lines, paragraphs, pre } from "../builder.ts";
import type { FormattedText } from "../formatted.ts";
import type { Rendered, RenderOptions } from "../rendered.ts";
import { button, mostButtons } from "./buttons.ts";
import { excerpt } from "./excerpt.ts";
import { message } from "./message.ts";
import { outcomeLine } from "./outcome.ts";
import { inline, prose, short, shortCode, strong } from "./words.ts";

/** Draws one question of Claude's with its options; once all are answered, the questions and the answers. */
export function renderQuestion(view: QuestionView, options: RenderOptions): Rendered {
  if (view.outcome?.kind === "answered") {
    const answers = drawAnswers(view.answered.slice(0, mostAnswers), 3000);
    return { messages: [message(paragraphs(outcomeLine(view.outcome, options), answers))] };
  }
  const shown = view.options.slice(0, mostShown);
  const share = Math.floor(previewLimit / Math.max(1, shown.length));
  const text = paragraphs(
    lines(view.outcome && outcomeLine(view.outcome, options), heading(view)),
    prose(view.question, 800),
    ...shown.map((option, index) => drawOption(option, index, share)),
    view.options.length > shown.length ? `… and ${view.options.length - shown.length} more below` : undefined,
    drawAnswers(view.answered.slice(-3), 500),
    view.outcome === undefined ? italic(hint(view)) : undefined,
  );
  const buttons = view.outcome === undefined ? drawButtons(view) : undefined;
  return { messages: [message(text, { buttons })] };
}

/** Claude gives four options at most; this is for what else may come. */
const mostShown = 6;
const mostAnswers = 8;
const previewLimit = 1200;

function heading(view: QuestionView): FormattedText {
  const header = view.header === undefined || view.header.trim() === "" ? "Question" : view.header;
  const place = view.count > 1 ? ` · ${view.position + 1} of ${view.count}` : "";
  const subagent = view.agent === undefined ? [] : [" · subagent ", inline(view.agent, 60)];
  return join(["❓ ", strong(header, 60), `${place} · ${short(view.project, 40)}`, ...subagent]);
}

function drawOption(option: QuestionView["options"][number], index: number, share: number): FormattedText {
  const description = option.description === undefined ? undefined : prose(option.description, 140);
  const preview =
    option.preview === undefined || option.preview.trim() === ""
      ? undefined
      : pre(excerpt(option.preview, share).text);
  return lines(join([`${index + 1}. `, shortCode(option.label, 80)]), description, preview);
}

function drawAnswers(answered: QuestionView["answered"], limit: number): FormattedText {
  const share = Math.floor(limit / Math.max(1, 2 * answered.length));
  return paragraphs(
    ...answered.map(({ question, answer }) =>
      lines(prose(question, share), blockquote(prose(answer, share))),
    ),
  );
}

function hint({ multiple }: QuestionView): string {
  return multiple
    ? "Choose as many as you like, then Submit, or type your answer as a message."
    : "Tap an answer, or type your answer as a message.";
}

function drawButtons(view: QuestionView): OutgoingButton[][] {
  const { requestId, position } = view;
  const choices = view.options.slice(0, mostButtons).map(({ label, chosen }, option) => {
    const name = short(label, 56) || `Option ${option + 1}`;
    const box = view.multiple ? (chosen ? "☑ " : "☐ ") : "";
    return [button(`${box}${name}`, { verb: "option", requestId, position, option })];
  });
  const skip = button("Skip", { verb: "skip", requestId, position });
  const submit = button("Submit", { verb: "submit", requestId, position }, "success");
  return [...choices, view.multiple ? [submit, skip] : [skip]];
}
