import type { ButtonStyle, Tap } from "../../../core/view.ts";
import { encodeTap } from "../../button-code.ts";
import type { OutgoingButton } from "../../outgoing.ts";
import { short } from "./words.ts";

/** A button of ours; its label stays on one line and is never empty, because Telegram drops such buttons silently. */
export function button(label: string, tap: Tap, style?: ButtonStyle): OutgoingButton {
  const shown = short(label, longestLabel);
  return {
    label: shown === "" ? "…" : shown,
    data: encodeTap(tap),
    ...(style === undefined ? {} : { style }),
  };
}

/** The longest label that a phone still shows in two lines. */
const longestLabel = 60;

/** Telegram refuses a keyboard of more than a hundred buttons. */
export const mostButtons = 80;
