import type { QuestionPage, QuestionView } from "../../../core/view.ts";
import type { OutgoingButton } from "../../outgoing.ts";
import { button, mostButtons } from "./buttons.ts";
import { short } from "./words.ts";

/** The buttons under one question: its options, Other, and the ways on and back. */
export function pageButtons(
  view: QuestionView,
  page: QuestionPage,
  { isCut }: { isCut: boolean },
): OutgoingButton[][] {
  const at = { requestId: view.requestId, position: page.position };
  if (page.ownWords === "awaited") return [[button("Never mind", { verb: "nevermind", ...at })]];
  const ownWords = page.multiple && page.typed !== undefined ? `☑ ✍️ ${short(page.typed, 50)}` : "✍️ Other…";
  const showAll = isCut ? [[button("Show all", { verb: "full", requestId: view.requestId })]] : [];
  const on = page.multiple ? "Submit" : page.answered ? "Keep it" : undefined;
  return [
    ...optionNames(page).map((name, option) => [button(name, { verb: "option", ...at, option })]),
    [button(ownWords, { verb: "other", ...at })],
    ...showAll,
    [
      ...(page.position > 0 ? [back(view, page.position)] : []),
      ...(on === undefined ? [] : [button(on, { verb: "submit", ...at }, "success")]),
      skip(view, page.position),
    ],
  ];
}

/** The buttons under all questions with their answers. */
export function summaryButtons(view: QuestionView): OutgoingButton[][] {
  const { requestId, count } = view;
  const send = button("Send answers", { verb: "submit", requestId, position: count }, "success");
  return [[send], [back(view, count), skip(view, count)]];
}

function back({ requestId }: QuestionView, position: number): OutgoingButton {
  return button("Back", { verb: "earlier", requestId, position });
}

/** Claude gets all answers or none. */
function skip({ requestId, count }: QuestionView, position: number): OutgoingButton {
  return button(count > 1 ? "Skip all" : "Skip", { verb: "skip", requestId, position });
}

function optionNames({ options, multiple }: QuestionPage): string[] {
  const names = options.slice(0, mostButtons).map(({ label }) => short(label, 54));
  // Labels that look alike once they are cut are told apart by the numbers they have in the text.
  const alike = new Set(names).size < names.length;
  return names.map((name, index) => {
    const chosen = options[index]?.chosen === true;
    const mark = multiple ? (chosen ? "☑ " : "☐ ") : chosen ? "✓ " : "";
    return `${mark}${alike ? `${index + 1}. ` : ""}${name === "" ? `Option ${index + 1}` : name}`;
  });
}
