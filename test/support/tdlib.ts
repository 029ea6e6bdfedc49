import * as tdl from "tdl";
import type { Detection } from "../../src/telegram/render/detect.ts";
import type { FormattedText } from "../../src/telegram/render/formatted.ts";
import { loadTdlib, type TdlibVerdict } from "./bot-api/tdlib.ts";

const tdlib = loadTdlib();

/** What TDLib makes of a message when a bot sends it: the same message, or what it changed, or its complaint. */
export function validatedByTdlib({ text, entities }: FormattedText): TdlibVerdict {
  // The call behind this also reads Markdown; its marks are put aside, and given back unless TDLib changed the text.
  const unmarked = text.replace(/[*_~|`[\]()]/g, "·");
  const verdict = tdlib.fix(unmarked, entities);
  return "error" in verdict || verdict.text !== unmarked ? verdict : { ...verdict, text };
}

/** What TDLib would make clickable in a text by itself. */
export function detectedByTdlib(text: string): Detection[] {
  const answer = tdl.execute({ _: "getTextEntities", text });
  if (answer?._ !== "textEntities") throw new Error("TDLib gave no entities");
  return answer.entities.flatMap(({ offset, length, type }) => {
    const kind = KINDS.get(type._);
    return kind === undefined ? [] : [{ kind, offset, length }];
  });
}

// Card numbers and moments of a video are found too, but are not among a bot message's entities.
const KINDS = new Map<string, Detection["kind"]>([
  ["textEntityTypeUrl", "url"],
  ["textEntityTypeEmailAddress", "email"],
  ["textEntityTypeMention", "mention"],
  ["textEntityTypeHashtag", "hashtag"],
  ["textEntityTypeCashtag", "cashtag"],
  ["textEntityTypeBotCommand", "bot_command"],
]);
