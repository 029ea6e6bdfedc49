import type { HeldView } from "../../../core/view.ts";
import { join } from "../builder.ts";
import type { Rendered } from "../rendered.ts";
import { button } from "./buttons.ts";
import { message } from "./message.ts";
import { shortCode } from "./words.ts";

/** Draws what is said about a text that Claude cannot read before the waiting card is answered. */
export function renderHeld(view: HeldView): Rendered {
  switch (view.state) {
    case "held": {
      const text = join(["⏳ Claude reads this after you answer: ", shortCode(view.waiting, 200)]);
      const buttons = [
        [button("Deny and send this", { verb: "denysend", promptId: view.promptId }, "danger")],
      ];
      return { messages: [message(text, { buttons, silent: true })] };
    }
    case "sent":
      return { messages: [message(join(["✓ Claude has it now."]), { silent: true })] };
    case "cancelled":
      return { messages: [message(join(["✗ Cancelled; Claude did not get this."]), { silent: true })] };
  }
}
