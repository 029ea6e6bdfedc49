import type { TrustView } from "../../../core/view.ts";
import { bold, join, lines, paragraphs, pre } from "../builder.ts";
import { clockTime } from "../duration.ts";
import type { FormattedText } from "../formatted.ts";
import { literal } from "../literal.ts";
import type { Rendered, RenderOptions } from "../rendered.ts";
import { button } from "./buttons.ts";
import { excerpt } from "./excerpt.ts";
import { message } from "./message.ts";
import { signed } from "./outcome.ts";
import { short, shortCode } from "./words.ts";

/** Draws what a folder brings that would run unasked, and the buttons that let it or keep it out. */
export function renderTrust(view: TrustView, options: RenderOptions): Rendered {
  const lists = [
    drawList("Hooks, run as commands", view.hooks),
    drawList("MCP servers, started as programs", view.servers),
    drawList("Rules that allow without asking", view.rules),
  ];
  const waiting = view.outcome === undefined;
  const text = paragraphs(
    lines(outcomeLine(view, options), heading(view)),
    shortCode(view.path, 300),
    view.changed ? "What this folder brings has changed since it was last decided." : undefined,
    ...lists.map((list) => list.text),
    waiting ? leftOutLine(view) : undefined,
  );
  const { trustId } = view;
  const buttons = waiting
    ? [
        [
          button("Trust", { verb: "trust", trustId }, "success"),
          button("Keep out", { verb: "distrust", trustId }, "danger"),
        ],
      ]
    : undefined;
  const cut = lists.some((list) => list.cut);
  return {
    messages: [message(text, { buttons })],
    ...(cut ? { file: { name: "trust.txt", content: wholeText(view) } } : {}),
  };
}

function heading({ project }: TrustView): FormattedText {
  return join(["🛡 ", bold("Trust this folder?"), ` · ${short(project, 40)}`]);
}

function outcomeLine({ outcome }: TrustView, options: RenderOptions): FormattedText | undefined {
  if (outcome === undefined) return undefined;
  const at = clockTime(outcome.at, options.timeZone);
  switch (outcome.kind) {
    case "trusted":
      return bold(`✅ Trusted ${signed(outcome.by, at)}`);
    case "refused":
      return bold(`❌ Kept out ${signed(outcome.by, at)}`);
    case "outdated":
      return bold(`↩️ No longer current · ${at}`);
  }
}

function drawList(title: string, items: string[]): { text: FormattedText | undefined; cut: boolean } {
  if (items.length === 0) return { text: undefined, cut: false };
  const { text, cut } = excerpt(items.map(oneLine).join("\n"), 800);
  return { text: lines(`${title}:`, pre(text)), cut };
}

/** Two items must not look like one, nor one like two. */
function oneLine(item: string): string {
  return item.replaceAll(/\r\n|[\n\r]/g, "⏎");
}

function leftOutLine({ leftOut }: TrustView): FormattedText {
  const files = leftOut.slice(0, 8).map((name) => shortCode(name, 60));
  const also = files.length === 0 ? [] : [" The same goes for ", join(files, ", "), "."];
  return join(["Until you trust it, Claude works here without all this.", ...also]);
}

function wholeText({ path, hooks, servers, rules }: TrustView): string {
  const items = ["Hooks:", ...hooks, "", "MCP servers:", ...servers, "", "Allow rules:", ...rules];
  return literal([path, "", ...items.map(oneLine)].join("\n"), { multiline: true });
}
