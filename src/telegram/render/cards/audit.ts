import type { AuditView } from "../../../core/view.ts";
import { bold, join, lines, paragraphs } from "../builder.ts";
import { dayAndTime } from "../duration.ts";
import type { FormattedText } from "../formatted.ts";
import type { Rendered, RenderOptions } from "../rendered.ts";
import { message } from "./message.ts";
import { inline, short, shortCode } from "./words.ts";

/** Draws what was decided lately: one line each, the newest first. */
export function renderAudit({ entries, about }: AuditView, options: RenderOptions): Rendered {
  const of = about === undefined ? [] : [" about ", shortCode(about, 40)];
  if (entries.length === 0) return { messages: [message(join(["Nothing was decided", ...of, " yet."]))] };
  const text = paragraphs(
    join([bold("📒 The last decisions"), ...of]),
    lines(...entries.slice(0, mostEntries).map((entry) => drawEntry(entry, options))),
  );
  return { messages: [message(text)] };
}

/** So many fit into one message, however long each is. */
const mostEntries = 20;

function drawEntry(entry: AuditView["entries"][number], options: RenderOptions): FormattedText {
  const { tool, subject, rule, project } = entry;
  // A subject begins with its tool nearly always: it is not said twice.
  const what =
    subject?.startsWith(tool ?? "") === true
      ? subject
      : [tool, subject].filter((part) => part !== undefined).join(" · ");
  const facts = [
    dayAndTime(entry.at, options.timeZone),
    name(entry.who),
    short(entry.what, 12),
    ...(project === undefined ? [] : [short(project, 32)]),
    ...(what === "" ? [] : [shortCode(what, 60)]),
    ...(rule === undefined ? [] : [shortCode(rule, 40)]),
  ];
  return join(facts, " · ");
}

/** People choose their names: one in which Telegram would find something to tap is code as a whole. */
function name(who: string): FormattedText {
  const plain = inline(who, 24);
  return plain.entities.length === 0 ? plain : shortCode(who, 24);
}
