import type { Activity, ProgressView, StepView } from "../../../core/view.ts";
import { blockquote, bold, join, lines, paragraphs } from "../builder.ts";
import { clockTime, coarseDuration, humanDuration } from "../duration.ts";
import type { FormattedText } from "../formatted.ts";
import type { Rendered, RenderOptions } from "../rendered.ts";
import { button } from "./buttons.ts";
import { message } from "./message.ts";
import { inline, prose, short, shortCode } from "./words.ts";

/** Draws what Claude is doing now, in one compact message that is edited in place and never makes a sound. */
export function renderProgress(view: ProgressView, options: RenderOptions): Rendered {
  if (view.ended !== undefined) {
    const text = lines(
      endLine(view, view.ended.how),
      backgroundLine(view, "Still running in the background"),
    );
    return { messages: [message(text, { silent: true })] };
  }
  const shown = view.steps.slice(-mostSteps);
  const earlier = view.earlier + view.steps.length - shown.length;
  const text = paragraphs(
    lines(activityLine(view, options), placeLine(view)),
    lines(earlier > 0 ? `+${earlier} earlier` : undefined, ...shown.map(stepLine)),
    view.saying === undefined ? undefined : blockquote(prose(view.saying, 160)),
    view.activity.kind === "background" ? undefined : backgroundLine(view, "Background"),
  );
  const buttons = [[button("Stop", { verb: "stop", turnId: view.turnId }, "danger")]];
  return { messages: [message(text, { buttons, silent: true })] };
}

const mostSteps = 6;
const marks: Record<StepView["state"], string> = { running: "…", ok: "✓", failed: "✗", denied: "⛔" };
const ends = { done: "✓ Done", failed: "✗ Failed", stopped: "⏹ Stopped" };

function activityLine(view: ProgressView, options: RenderOptions): FormattedText {
  const elapsed = coarseDuration(view.elapsedMs);
  return join([
    activityWords(view.activity, view, options),
    elapsed === coarseDuration(0) ? "" : ` · ${elapsed}`,
  ]);
}

function activityWords(activity: Activity, view: ProgressView, options: RenderOptions): FormattedText {
  switch (activity.kind) {
    case "starting":
      return bold("⏳ Starting…");
    case "thinking":
      return bold("⏳ Thinking…");
    case "tool":
      return join(["🔧 ", shortCode(activity.title, 80)]);
    case "waiting":
      return bold(activity.count > 1 ? `✋ Waiting for you (${activity.count})` : "✋ Waiting for you");
    case "retrying": {
      const until = clockTime(activity.until, options.timeZone);
      return join([
        "🔁 ",
        inline(activity.why, 80),
        `, retry ${activity.attempt} of ${activity.maxRetries} at ${until}`,
      ]);
    }
    case "background":
      return backgroundLine(view, "Background") ?? bold("💤 Background");
  }
}

function placeLine({ project, mode }: ProgressView): FormattedText {
  const unusual = mode === undefined || mode === "default" ? [] : [" · ", inline(mode, 20), " mode"];
  return join([short(project, 40), ...unusual]);
}

function stepLine({ state, name, title, agent }: StepView): FormattedText {
  const inside = agent === undefined ? "" : "↳ ";
  return join([`${marks[state]} ${inside}`, inline(name, 24), " ", shortCode(title, 60)]);
}

function backgroundLine({ background }: ProgressView, words: string): FormattedText | undefined {
  if (background.length === 0) return undefined;
  const shown = background.slice(0, 2).map((title) => shortCode(title, 60));
  const rest = background.length - shown.length;
  return join([`💤 ${words}: `, join(shown, ", "), rest > 0 ? ` and ${rest} more` : ""]);
}

function endLine(view: ProgressView, how: keyof typeof ends): FormattedText {
  const steps = view.earlier + view.steps.length;
  const count = steps === 0 ? [] : [steps === 1 ? "1 step" : `${steps} steps`];
  return join([ends[how], humanDuration(view.elapsedMs), ...count], " · ");
}
