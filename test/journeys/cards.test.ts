import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SeenMessage } from "../support/bot-api/seen-message.ts";
import { script } from "../support/model/script.ts";
import { queryStore } from "../support/read-store.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const bash = (command: string) => ({ tools: [{ name: "Bash", input: { command } }] });
const isWaiting =
  (about: string) =>
  ({ text, buttons }: SeenMessage): boolean =>
    text.includes(about) && buttons.flat().some((button) => button.text === "Deny");

test("an edit is shown as the difference to the file on the disk, and applied when it is allowed", async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
  stage = await setStage({ files: { "notes.txt": `${lines.join("\n")}\n` } });
  const { ann, chat, project } = stage;
  const file_path = join(project, "notes.txt");
  await stage.start();
  const edit = { file_path, old_string: "line 15\n", new_string: "fifteen\nand a half\n" };
  ann.sends(
    chat,
    script([
      { tools: [{ name: "Read", input: { file_path } }] },
      { tools: [{ name: "Edit", input: edit }] },
      { text: "Edited." },
    ]),
  );
  const card = await chat.untilMessage(isWaiting("notes.txt +2 −1"));
  expect(card.text).toContain(" line 13\n line 14\n-line 15\n+fifteen\n+and a half\n line 16\n line 17");
  expect(card.text).not.toContain("line 12");
  expect(card.entities).toContainEqual(expect.objectContaining({ type: "pre", language: "diff" }));
  await ann.taps(card, "Allow").toast();
  await chat.untilMessage("Edited.");
  expect(readFileSync(file_path, "utf8")).toContain("line 14\nfifteen\nand a half\nline 16\n");
  // The file has changed, and the card still shows what was allowed.
  const over = await chat.untilMessage("Allowed by Ann");
  expect(over.id).toBe(card.id);
  expect(over.text).toContain("-line 15\n+fifteen");
});

test("a new file is called one, with its text", async () => {
  stage = await setStage();
  const { ann, chat, project } = stage;
  await stage.start();
  const input = { file_path: join(project, "new.txt"), content: "one\ntwo\n" };
  ann.sends(chat, script([{ tools: [{ name: "Write", input }] }, { text: "Written." }]));
  const card = await chat.untilMessage(isWaiting("New file, 2 lines"));
  expect(card.text).toContain("one\ntwo");
  await ann.taps(card, "Allow").toast();
  await chat.untilMessage("Written.");
  expect(readFileSync(input.file_path, "utf8")).toBe(input.content);
});

test("what deletes a folder is marked with why, and still only a person decides", async () => {
  stage = await setStage({ files: { "build/a.js": "1" } });
  const { ann, chat, project } = stage;
  await stage.start();
  ann.sends(chat, script([bash("rm -rf build"), { text: "Clean." }]));
  const card = await chat.untilMessage("⚠️ deletes a whole folder: rm -rf build");
  expect(existsSync(join(project, "build"))).toBe(true);
  await ann.taps(card, "Allow").toast();
  await chat.untilMessage("Clean.");
  expect(existsSync(join(project, "build"))).toBe(false);
});

test("a secret is hidden in a group, in lists and in the audit, and shown to the one who asks, in private", async () => {
  stage = await setStage();
  const { ann, chat, telegram, stateDir } = stage;
  const group = telegram.group({ id: -1001, members: [ann], bot: "administrator" });
  await stage.start();
  ann.sends(group, "/enable");
  await ann.taps(await group.untilMessage("Everybody in this group"), "Enable here").toast();
  const secret = "correct-horse-battery-1234";
  ann.sends(group, script([bash(`DB_PASSWORD=${secret} touch made.txt`), { text: "Done." }]));
  const card = await group.untilMessage(isWaiting("DB_PASSWORD=••••1234 touch made.txt"));
  expect(card.text).toContain("🔒 1 secret hidden");

  expect((await ann.taps(card, "Show hidden").toast()).text).toBe("Start a private chat with me first.");
  ann.sends(chat, "/pending");
  const list = await chat.untilMessage("One thing waits for you");
  expect(list.text).toContain("DB_PASSWORD=••••1234");
  expect((await ann.taps(card, "Show hidden").toast()).text).toBe("Sent to your private chat with me");
  const shown = await chat.untilMessage(({ file }) => file !== undefined);
  expect(shown.file?.content.toString("utf8")).toContain(`DB_PASSWORD=${secret} touch made.txt`);

  await ann.taps(card, "Deny").toast();
  await group.untilMessage("Done.");
  // What Ann wrote herself is hers; nothing of the bot's holds it, but what she asked for.
  const said = [...group.fromBot(), ...chat.fromBot()].filter(
    ({ id, chatId }) => id !== shown.id || chatId !== chat.id,
  );
  expect(JSON.stringify(said)).not.toContain(secret);
  const audit = queryStore<{ what: string; subject: string }>(stateDir, "SELECT what, subject FROM audit");
  expect(audit.map(({ what }) => what)).toEqual(expect.arrayContaining(["reveal", "deny"]));
  expect(JSON.stringify(audit)).not.toContain(secret);
});
