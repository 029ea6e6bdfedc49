import { inMinutes } from "../../../core/denial.ts";
import type { Outcome } from "../../../core/view.ts";
import { bold, join } from "../builder.ts";
import { clockTime } from "../duration.ts";
import type { FormattedText } from "../formatted.ts";
import type { RenderOptions } from "../rendered.ts";
import { prose, short } from "./words.ts";

/** The first line of a card that is over: what became of it, by whom and when. */
export function outcomeLine(
  outcome: Outcome,
  options: RenderOptions,
  words: { allowed?: string; denied?: string } = {},
): FormattedText {
  const at = clockTime(outcome.at, options.timeZone);
  switch (outcome.kind) {
    case "allowed":
      return bold(`✅ ${words.allowed ?? "Allowed"} ${signed(outcome.by, at)}`);
    case "denied":
      return because(bold(`${words.denied ?? "❌ Denied"} ${signed(outcome.by, at)}`), outcome.reason);
    case "answered":
      return bold(`✅ Answered ${signed(outcome.by, at)}`);
    case "paused":
      return bold(`⏸ Paused for an outline ${signed(outcome.by, at)}`);
    case "discussing":
      return bold(`💬 Under discussion · asked ${signed(outcome.by, at)}`);
    case "expired":
      return bold(`⌛ Denied: nobody answered within ${inMinutes(outcome.minutes)} · ${at}`);
    case "withdrawn":
      return bold(`↩️ Withdrawn by Claude · ${at}`);
    case "ended":
      return bold(`⏹ Ended: ${short(outcome.why, 200)} · ${at}`);
    case "moved":
      return bold("⬇️ Moved below");
  }
}

/** Who did something and when: `by Ann · 14:03`. */
export function signed(by: string, at: string): string {
  return `by ${short(by, 64)} · ${at}`;
}

function because(line: FormattedText, reason: string | undefined): FormattedText {
  return reason === undefined || reason.trim() === "" ? line : join([line, " — ", prose(reason, 300)]);
}
