import type { RuleReach } from "../../../core/always.ts";
import type { Danger, RequestView, ToolBody, ToolKind, ToolView } from "../../../core/view.ts";
import type { OutgoingButton } from "../../outgoing.ts";
import { blockquote, bold, join, lines, paragraphs, pre } from "../builder.ts";
import type { FormattedText } from "../formatted.ts";
import { literal } from "../literal.ts";
import type { Rendered, RenderOptions } from "../rendered.ts";
import { button } from "./buttons.ts";
import { excerpt } from "./excerpt.ts";
import { message } from "./message.ts";
import { outcomeLine } from "./outcome.ts";
import { inline, prose, short, shortCode, strong } from "./words.ts";

/** Draws a tool use that waits for a person: what exactly would be done, why, and the buttons that decide. */
export function renderRequest(view: RequestView, options: RenderOptions): Rendered {
  const body = drawBody(shownBody(view.tool));
  const text = paragraphs(
    lines(view.outcome && outcomeLine(view.outcome, options), heading(view)),
    lines(...drawDangers(view.dangers ?? [])),
    lines(titleUnlessInBody(view), ...(view.tool.notes ?? []).slice(0, mostNotes).map(drawNote)),
    body.text,
    hiddenLine(view),
    view.description === undefined ? undefined : blockquote(prose(view.description, 300)),
    view.reason === undefined ? undefined : join(["Asked because: ", prose(view.reason, 200)]),
    ruleLine(view),
    view.care === "armed" && view.outcome === undefined
      ? bold("⚠️ This one can do harm. Allow it all the same?")
      : undefined,
  );
  const buttons = view.outcome === undefined ? drawButtons(view, body.cut) : undefined;
  return {
    messages: [message(text, { buttons })],
    ...(body.cut ? { file: requestFile(view) } : {}),
  };
}

/** All of a request as a text file; a change of a file as its diff. */
export function requestFile(view: RequestView): { name: string; content: string } {
  const whole = wholeText(view);
  // Nobody reads more than this by eye, and making every character of it visible could take seconds.
  const content = whole.length > longestRead ? whole : literal(whole, { multiline: true });
  return { name: view.tool.change === undefined ? "request.txt" : "change.diff", content };
}

const icons: Record<ToolKind, string> = {
  command: "💻",
  file_change: "✏️",
  tool: "🧩",
  web_search: "🌐",
  note: "📝",
};

/** How much of the exact input a card shows, so that it stays one screen or two of a phone. */
const bodyLimit = 2000;
const mostBodies = 8;
const ruleLimit = 300;
const mostDangers = 3;
const mostNotes = 3;
const reaches: Record<RuleReach, string> = {
  session: "in this session",
  project: "in this project",
};

function heading({ tool, project, agent }: RequestView): FormattedText {
  const subagent = agent === undefined ? [] : [" · subagent ", inline(agent, 60)];
  return join([`${icons[tool.kind]} `, strong(tool.name, 60), ` · ${short(project, 40)}`, ...subagent]);
}

/** The title of a command is the command itself: it is not said twice. */
function titleUnlessInBody({ tool }: RequestView): FormattedText | undefined {
  const title = tool.title.trim();
  if (tool.body.some(({ text }) => text.trim() === title)) return undefined;
  const { change } = tool;
  return join([shortCode(title, 200), change === undefined ? "" : ` +${change.added} −${change.removed}`]);
}

/** Marks for the eye, the first few of them; they decide nothing. */
function drawDangers(dangers: readonly Danger[]): FormattedText[] {
  const shown = dangers.slice(0, mostDangers);
  const rest = dangers.length - shown.length;
  return [
    ...shown.map(({ why, what }) => join(["⚠️ ", strong(why, 60), ": ", shortCode(what, 60)])),
    ...(rest > 0 ? [join([`⚠️ and ${rest} more`])] : []),
  ];
}

function drawNote(note: string): FormattedText {
  return inline(note, 100);
}

function hiddenLine({ hidden = 0 }: RequestView): FormattedText | undefined {
  if (hidden === 0) return undefined;
  return join([hidden === 1 ? "🔒 1 secret hidden" : `🔒 ${hidden} secrets hidden`]);
}

/** The gaps of a diff as signs: where its parts stand in the file matters less than what they say. */
function shownBody({ change, body }: ToolView): ToolBody[] {
  const [diff, ...rest] = body;
  if (change === undefined || diff === undefined) return body;
  const text = diff.text.replace(/^@@.*\n/, "").replaceAll(/^@@.*$/gm, "…");
  return [{ ...diff, text }, ...rest];
}

function drawBody(bodies: ToolBody[]): { text: FormattedText; cut: boolean } {
  const shown = bodies.slice(0, mostBodies);
  const share = Math.floor(bodyLimit / Math.max(1, shown.length));
  const drawn = shown.map(({ label, text, language }) => {
    const name = label === undefined ? undefined : shortCode(label, 80);
    const { text: part, cut } = excerpt(text, share - (name?.text.length ?? 0));
    return { text: lines(name, pre(part.trim() === "" ? "(blank)" : part, language)), cut };
  });
  const rest = bodies.length - shown.length;
  return {
    text: lines(...drawn.map(({ text }) => text), rest > 0 ? `… and ${rest} more` : undefined),
    cut: rest > 0 || drawn.some(({ cut }) => cut),
  };
}

type Rule = NonNullable<RequestView["always"]>;

/** The rule that one tap may add: none for what takes two taps to allow once, and none that the card cannot show whole. */
function offeredRule({ always, care }: RequestView): Rule | undefined {
  if (always === undefined || care !== undefined) return undefined;
  const isWhole = short(always.rule, ruleLimit) === literal(always.rule.trim(), { multiline: false });
  return isWhole ? always : undefined;
}

function ruleLine(view: RequestView): FormattedText | undefined {
  if (view.outcome?.kind === "allowed" && view.outcome.always !== undefined) {
    return drawRule("From now on allowed: ", view.outcome.always);
  }
  const offered = view.outcome === undefined ? offeredRule(view) : undefined;
  return offered === undefined ? undefined : drawRule("Always would allow: ", offered);
}

function drawRule(words: string, { rule, reach }: Rule): FormattedText {
  return join([words, shortCode(rule, ruleLimit), ` ${reaches[reach]}`]);
}

function drawButtons(view: RequestView, cut: boolean): OutgoingButton[][] {
  const { requestId, care } = view;
  const more = [
    ...(cut ? [button("Show all", { verb: "full", requestId })] : []),
    ...(view.hidden ? [button("Show hidden", { verb: "reveal", requestId })] : []),
  ];
  const rest = more.length > 0 ? [more] : [];
  if (care === "armed") {
    // The place of "Allow…" now goes back: a thumb that taps twice allows nothing.
    const goBack = button("No, go back", { verb: "back", requestId });
    return [[goBack, button("Yes, allow", { verb: "confirm", requestId }, "danger")], ...rest];
  }
  const allow = button(care === "first" ? "Allow…" : "Allow", { verb: "allow", requestId }, "success");
  const deny = button("Deny", { verb: "deny", requestId }, "danger");
  const offered = offeredRule(view);
  const forEver =
    offered === undefined
      ? []
      : [[button(`Always allow ${short(offered.rule, 40)}`, { verb: "always", requestId }, "primary")]];
  return [[allow, deny], ...forEver, ...rest];
}

function wholeText({ tool }: RequestView): string {
  const parts = tool.body.map(({ label, text }) => (label === undefined ? text : `${label}\n${text}`));
  if (tool.change !== undefined) return `--- a/${tool.title}\n+++ b/${tool.title}\n${parts.join("\n\n")}`;
  return [`${tool.name}: ${tool.title}`, ...parts].join("\n\n");
}

const longestRead = 300_000;
