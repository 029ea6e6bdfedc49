import type { Outgoing, OutgoingButton } from "../../outgoing.ts";
import type { FormattedText } from "../formatted.ts";
import { splitFormatted } from "../split.ts";

/** Makes a message of a text; buttons that are absent or none are left out. */
export function message(
  content: FormattedText,
  extras: { buttons?: OutgoingButton[][] | undefined; silent?: boolean | undefined } = {},
): Outgoing {
  const { buttons = [], silent } = extras;
  // The cards keep within the limits themselves; were one ever wrong, a cut card is better than one that Telegram refuses.
  const { text, entities } = splitFormatted(content)[0] ?? content;
  return {
    text,
    entities,
    ...(buttons.length > 0 ? { buttons } : {}),
    ...(silent === true ? { silent } : {}),
  };
}
