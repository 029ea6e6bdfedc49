import type { QuestionPage, QuestionView } from "../../../core/view.ts";
import { blockquote, bold, type Content, italic, join, lines, paragraphs, pre } from "../builder.ts";
import type { FormattedText } from "../formatted.ts";
import { literal } from "../literal.ts";
import type { Rendered, RenderOptions } from "../rendered.ts";
import { excerpt } from "./excerpt.ts";
import { message } from "./message.ts";
import { outcomeLine } from "./outcome.ts";
import { pageButtons, summaryButtons } from "./question-buttons.ts";
import { inline, prose, short, shortCode, strong } from "./words.ts";

/** Draws a form of Claude's: one question with its options, or all questions with their answers. */
export function renderQuestion(view: QuestionView, options: RenderOptions): Rendered {
  const { page } = view;
  const outcome = view.outcome && outcomeLine(view.outcome, options, { denied: "⏭ Skipped" });
  if (page.kind === "summary") {
    const waits = outcome === undefined;
    const heading = waits ? join(["❓ ", bold("Your answers"), about(view)]) : undefined;
    const answers = drawAnswers(view.answered.slice(0, mostAnswers), 3000);
    const hint = waits ? italic("Send them, or go back to change one.") : undefined;
    const buttons = waits ? summaryButtons(view) : undefined;
    return { messages: [message(paragraphs(outcome, heading, answers, hint), { buttons })] };
  }

  const drawn = drawOptions(page);
  const text = paragraphs(
    lines(outcome, pageHeading(view, page)),
    prose(page.question, 700),
    ...drawn.texts,
    drawAnswers(view.answered.slice(-3), 300),
    ...(outcome === undefined ? whatToDo(page) : []),
  );
  const buttons = outcome === undefined ? pageButtons(view, page, { isCut: drawn.isCut }) : undefined;
  const file = drawn.isCut ? { file: { name: "question.txt", content: wholeText(page) } } : {};
  return { messages: [message(text, { buttons })], ...file };
}

/** Claude gives four options at most; this is for what else may come. */
const mostShown = 6;
const mostAnswers = 8;
/** How much room all options of a question share. */
const room = { labels: 480, descriptions: 900, previews: 900 };

function pageHeading(view: QuestionView, page: QuestionPage): FormattedText {
  const header = page.header === undefined || page.header.trim() === "" ? "Question" : page.header;
  const place = view.count > 1 ? ` · ${page.position + 1} of ${view.count}` : "";
  return join(["❓ ", strong(header, 60), place, about(view)]);
}

function about({ project, agent }: QuestionView): FormattedText {
  const subagent = agent === undefined ? [] : [" · subagent ", inline(agent, 60)];
  return join([` · ${short(project, 40)}`, ...subagent]);
}

function drawOptions({ options }: QuestionPage): { texts: Content[]; isCut: boolean } {
  const shown = options.slice(0, mostShown);
  const count = Math.max(1, shown.length);
  const share = {
    label: Math.min(200, Math.floor(room.labels / count)),
    description: Math.min(300, Math.floor(room.descriptions / count)),
    preview: Math.floor(room.previews / Math.max(1, shown.filter(hasPreview).length)),
  };
  const drawn = shown.map((option, index) => {
    const preview = hasPreview(option) ? excerpt(option.preview, share.preview) : undefined;
    const description = option.description ?? "";
    const text = lines(
      join([`${index + 1}. `, shortCode(option.label, share.label)]),
      prose(description, share.description),
      preview && pre(preview.text),
    );
    const isCut =
      preview?.cut === true || option.label.length > share.label || description.length > share.description;
    return { text, isCut };
  });
  const rest = options.length - shown.length;
  return {
    texts: [...drawn.map(({ text }) => text), ...(rest > 0 ? [`… and ${rest} more below`] : [])],
    isCut: rest > 0 || drawn.some(({ isCut }) => isCut),
  };
}

type OptionView = QuestionPage["options"][number];

function hasPreview(option: OptionView): option is OptionView & { preview: string } {
  return option.preview !== undefined && option.preview.trim() !== "";
}

function drawAnswers(answered: QuestionView["answered"], limit: number): FormattedText {
  const share = Math.floor(limit / Math.max(1, 2 * answered.length));
  return paragraphs(
    ...answered.map(({ question, answer }) =>
      lines(prose(question, share), blockquote(prose(answer, share))),
    ),
  );
}

/** Where the person's own words go is always said: a message that becomes an answer by surprise cannot be called back. */
function whatToDo(page: QuestionPage): Content[] {
  if (page.ownWords === "awaited") {
    const ticked = page.multiple ? page.options.filter(({ chosen }) => chosen) : [];
    const labels = ticked.map(({ label }) => short(label, 60)).join(", ");
    const beside = labels === "" ? [] : [join(["Beside it stays ticked: ", inline(labels, 200)])];
    return [
      bold("✍️ I wait for your answer: send it as the next message here, or reply to this card."),
      ...beside,
    ];
  }
  const typed =
    page.typed === undefined ? [] : [lines("✍️ Your own words:", blockquote(prose(page.typed, 200)))];
  return [...typed, italic(`${choosing(page)} ${ownWordsHint(page)}`.trim())];
}

function choosing({ multiple, options }: QuestionPage): string {
  if (options.length === 0) return "";
  return multiple ? "Tick as many as you like, then Submit." : "Tap an answer.";
}

function ownWordsHint({ multiple, options, ownWords }: QuestionPage): string {
  const write = options.length === 0 ? "Write your answer" : "Or write your own";
  switch (ownWords) {
    case "awaited":
      return "";
    case "welcome":
      return `${write}: the next message here is taken as the answer${multiple ? ", together with what is ticked" : ""}.`;
    case "unwanted":
      return "Messages here are not taken as the answer; tap Other or reply to this card for that.";
    case "elsewhere":
      return `${write}: reply to this card, or tap Other. A plain message here answers another question.`;
  }
}

function wholeText(page: QuestionPage): string {
  const options = page.options.map(({ label, description, preview }, index) =>
    [`${index + 1}. ${label}`, description, preview].filter((part) => part !== undefined).join("\n"),
  );
  const whole = [page.question, ...options].join("\n\n");
  // Nobody reads more than this by eye, and making every character of it visible could take seconds.
  return whole.length > longestRead ? whole : literal(whole, { multiline: true });
}

const longestRead = 300_000;
