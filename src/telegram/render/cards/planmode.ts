import type { PlanModeView } from "../../../core/view.ts";
import { bold, type Content, join, lines, paragraphs } from "../builder.ts";
import { humanDuration } from "../duration.ts";
import type { Rendered } from "../rendered.ts";
import { button } from "./buttons.ts";
import { message } from "./message.ts";
import { shortCode } from "./words.ts";

/** Draws how this thread plans, in words, and the buttons that change it. */
export function renderPlanMode(view: PlanModeView): Rendered {
  const { liveMode, pause } = view;
  const text = paragraphs(
    join(["🗺 ", bold("Plan mode: "), bold(view.setting === "config" ? "as in the config" : view.setting)]),
    lines(
      meaning(view),
      liveMode === undefined
        ? undefined
        : join(["Right now Claude runs in mode ", shortCode(liveMode, 30), "."]),
    ),
    pause === undefined ? undefined : pauseLine(pause),
  );
  const choice = (setting: "on" | "off" | "auto", label: string) =>
    button(setting === view.setting ? `✓ ${label}` : label, { verb: "planmode", setting });
  const buttons = [
    [choice("on", "On"), choice("off", "Off"), choice("auto", "Auto")],
    [button("Clear", { verb: "planmode", setting: "clear" })],
  ];
  return { messages: [message(text, { buttons })] };
}

function meaning({ setting, configMode }: PlanModeView): Content {
  switch (setting) {
    case "on":
      return "New conversations start with a plan that you approve.";
    case "off":
      return "Claude starts to work at once.";
    case "auto":
      return "Plans are approved by themselves and shown for you to read.";
    case "config":
      return join(["New conversations start in mode ", shortCode(configMode, 30), "."]);
  }
}

function pauseLine({ pauses, remainingMs }: { pauses: number; remainingMs: number }): string {
  const times = pauses === 1 ? "once" : `${pauses} times`;
  const wait =
    remainingMs > 0
      ? ` A plan without one is sent back for another ${humanDuration(Math.ceil(remainingMs / 1000) * 1000)}.`
      : "";
  return `⏸ An outline was asked for ${times}.${wait} Clear forgets this.`;
}
