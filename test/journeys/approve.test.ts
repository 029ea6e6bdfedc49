import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { script } from "../support/model/script.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

test("Ann writes, Claude asks, Ann allows, the command runs and the answer comes", async () => {
  stage = await setStage();
  const { ann, chat, project } = stage;
  await stage.start();
  ann.sends(
    chat,
    script([
      { tools: [{ name: "Bash", input: { command: "touch made.txt", description: "Make a file" } }] },
      { text: "All **done**." },
    ]),
  );

  const card = await chat.untilMessage("touch made.txt");
  expect(existsSync(join(project, "made.txt"))).toBe(false);
  const tap = ann.taps(card, "Allow");
  expect((await tap.toast()).text).toBe("Allowed");

  const answer = await chat.untilMessage("All done.");
  expect(existsSync(join(project, "made.txt"))).toBe(true);
  expect(answer.entities).toContainEqual({ type: "bold", offset: 4, length: 4 });
  const decided = await chat.untilMessage("Allowed by Ann");
  expect(decided.id).toBe(card.id);
  expect(decided.buttons).toEqual([]);
});
