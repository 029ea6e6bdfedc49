import type { PlanView } from "../../../core/view.ts";
import type { Outgoing, OutgoingButton } from "../../outgoing.ts";
import { bold, italic, join, lines, paragraphs } from "../builder.ts";
import type { FormattedText } from "../formatted.ts";
import type { Rendered, RenderOptions } from "../rendered.ts";
import { button } from "./buttons.ts";
import { document } from "./document.ts";
import { message } from "./message.ts";
import { outcomeLine } from "./outcome.ts";
import { short } from "./words.ts";

/**
 * Draws a plan whole. Only the last message can be edited later, so what is said about the plan never changes how
 * it is split: a plan that leaves no room for that stands above, and the card is a short message of its own.
 */
export function renderPlan(view: PlanView, options: RenderOptions): Rendered {
  const heading = join(["📋 ", bold(title(view)), ` · ${short(view.project, 40)}`]);
  const written = writtenPlan(view);
  const buttons = view.outcome === undefined ? drawButtons(view) : undefined;
  const outcome = view.outcome && outcomeLine(view.outcome, options, { allowed: "Approved" });
  const note = italic(noteOf(view));
  if (written === undefined) {
    return { messages: [message(paragraphs(lines(outcome, heading), note), { buttons })] };
  }

  const drawn = document(written, { name: "plan.md", parts: mostParts, partsBesideFile: 3, before: heading });
  const file = drawn.file === undefined ? {} : { file: drawn.file };
  const [only, ...others] = drawn.parts;
  if (only !== undefined && others.length === 0 && drawn.file === undefined && leavesRoom(only)) {
    return { messages: [message(paragraphs(outcome, only, note), { buttons })] };
  }
  const where = drawn.file === undefined ? "The whole plan is above." : "The plan goes on in the file.";
  const card = message(paragraphs(lines(outcome, heading), where, note), { buttons });
  return { messages: [...drawn.parts.map((part): Outgoing => message(part)), card], ...file };
}

/** Beyond this a file reads better than a wall of messages. */
const mostParts = 6;
/** What an outcome with a long reason, and the note, can need. */
const room = { characters: 700, entities: 12 };

function leavesRoom({ text, entities }: FormattedText): boolean {
  return text.length <= 4096 - room.characters && entities.length <= 100 - room.entities;
}

function title({ stage }: PlanView): string {
  return stage === "outlined" ? "The outline of the plan" : "Claude has a plan";
}

function writtenPlan({ plan, outline }: PlanView): string | undefined {
  const given = [outline, plan].filter((text) => text !== undefined && text.trim() !== "");
  return given.length === 0 ? undefined : given.join("\n\n---\n\n");
}

function noteOf(view: PlanView): string {
  if (writtenPlan(view) === undefined) return "Claude gave no text with this plan.";
  switch (view.stage) {
    case "read":
      return "Approved by itself, as /planmode auto says. This is for you to read.";
    case "again":
      return "No outline came. You can ask for it once more.";
    case "first":
    case "outlined":
      return "";
  }
}

function drawButtons({ stage, requestId }: PlanView): OutgoingButton[][] | undefined {
  if (stage === "read") return undefined;
  const third =
    stage === "outlined"
      ? button("Let's discuss", { verb: "discuss", requestId }, "primary")
      : button("Pause & Outline Plan", { verb: "pause", requestId }, "primary");
  return [
    [
      button("Approve", { verb: "approve", requestId }, "success"),
      button("Deny", { verb: "refuse", requestId }, "danger"),
    ],
    [third],
    [button("Approve & accept edits", { verb: "approveedits", requestId })],
  ];
}
