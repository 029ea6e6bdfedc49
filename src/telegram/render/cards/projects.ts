import type { ProjectsView } from "../../../core/view.ts";
import { bold, join, lines, paragraphs } from "../builder.ts";
import type { Rendered } from "../rendered.ts";
import { button, mostButtons } from "./buttons.ts";
import { message } from "./message.ts";
import { short, shortCode } from "./words.ts";

/** Draws the choice of projects; the current one is marked. */
export function renderProjects({ current, projects }: ProjectsView): Rendered {
  if (projects.length === 0) {
    return {
      messages: [message(join(["There is no project yet. Add one to the config, under [projects]."]))],
    };
  }
  const mark = (name: string) => (name === current ? "✓ " : "");
  const shown = projects.slice(0, mostListed);
  const rest = projects.length - shown.length;
  const text = paragraphs(
    bold("📁 Which project?"),
    lines(
      ...shown.map(({ name, path }) => join([`${mark(name)}${short(name, 32)} `, shortCode(path, 80)])),
      rest > 0 ? `… and ${rest} more` : undefined,
    ),
  );
  const buttons = projects
    .slice(0, mostButtons)
    .map(({ name }) => [
      button(`${mark(name)}${name}`, { verb: "project", name }, name === current ? "primary" : undefined),
    ]);
  return { messages: [message(text, { buttons })] };
}

const mostListed = 25;
