import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SeenMessage } from "../support/bot-api/seen-message.ts";
import { eventually } from "../support/eventually.ts";
import { script } from "../support/model/script.ts";
import { queryStore } from "../support/read-store.ts";
import { type Stage, setStage } from "../support/stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const bash = (command: string) => ({ name: "Bash", input: { command } });
const touch = (file: string) => bash(`touch ${file}`);
const write = (path: string) => ({ name: "Write", input: { file_path: path, content: "new" } });

/** A card that waits for an answer about this. */
const isRequest = (about: string) => (message: SeenMessage) =>
  message.text.includes(about) && message.buttons.flat().some(({ text }) => text === "Deny");

/** Who decided what, the oldest first. */
function decisions(): string[] {
  type Row = { who: string; what: string; rule: string | null };
  const rows = queryStore<Row>(stage.stateDir, "SELECT who, what, rule FROM audit ORDER BY id");
  return rows.map(({ who, what, rule }) => [who, what, ...(rule === null ? [] : [rule])].join(" · "));
}

test("path rules allow an edit unasked and deny another with a reason; what no rule names is asked about", async () => {
  stage = await setStage({
    files: { "src/a.ts": "old", "src/gen/b.ts": "old" },
    config: `
[[approvals.rules]]
tool = "*"
paths = ["src/**"]
decision = "allow"
[[projects.web.rules]]
tool = "Write"
paths = ["src/gen/**"]
decision = "deny"
reason = "It is generated; change the schema instead."
`,
  });
  const { ann, chat, project, model } = stage;
  await stage.start();
  const file = join(project, "src/a.ts");
  const edit = { name: "Edit", input: { file_path: file, old_string: "old", new_string: "new" } };
  ann.sends(
    chat,
    script([
      { tools: [{ name: "Read", input: { file_path: file } }] },
      { tools: [edit] },
      { tools: [write(join(project, "src/gen/new.ts"))] },
      { tools: [write(join(project, "notes.txt"))] },
      { text: "Done what I could." },
    ]),
  );
  const card = await chat.untilMessage(isRequest("notes.txt"));
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(model.lastToolResults().join()).toContain("It is generated; change the schema instead.");
  expect((await ann.taps(card, "Deny").toast()).text).toBe("Denied");
  await chat.untilMessage("Done what I could.");
  expect(existsSync(join(project, "src/gen/new.ts"))).toBe(false);
  expect(decisions()).toEqual([
    "policy · allow · approvals.rules[0]: * src/**",
    "policy · deny · projects.web.rules[0]: Write src/gen/**",
    "Ann · deny",
  ]);
});

test("patterns for Bash are kept by Claude Code itself, also in a command of several parts", async () => {
  stage = await setStage({
    config: `
[[approvals.rules]]
tool = "Bash"
pattern = "touch free*"
decision = "allow"
[[approvals.rules]]
tool = "Bash"
pattern = "touch never*"
decision = "deny"
[[projects.web.rules]]
tool = "Bash"
pattern = "touch free-but-ask*"
decision = "ask"
[[projects.web.rules]]
tool = "Read"
pattern = "./secrets/**"
decision = "deny"
`,
    files: { "secrets/key.txt": "the combination is 1234" },
  });
  const { ann, chat, project, model } = stage;
  await stage.start();
  ann.sends(
    chat,
    script([
      { tools: [touch("free.txt")] },
      { tools: [touch("never.txt")] },
      { tools: [{ name: "Read", input: { file_path: join(project, "secrets/key.txt") } }] },
      { tools: [touch("free-but-ask.txt")] },
      { tools: [bash("touch free2.txt && touch other.txt")] },
      { text: "That was it." },
    ]),
  );
  const asked = await chat.untilMessage(isRequest("free-but-ask.txt"));
  expect(existsSync(join(project, "free.txt"))).toBe(true);
  expect(existsSync(join(project, "never.txt"))).toBe(false);
  expect(JSON.stringify(model.requests().at(-1))).not.toContain("the combination is");
  await ann.taps(asked, "Allow").toast();
  const mixed = await chat.untilMessage(isRequest("other.txt"));
  await ann.taps(mixed, "Deny").toast();
  await chat.untilMessage("That was it.");
  expect(["free-but-ask.txt", "free2.txt"].map((name) => existsSync(join(project, name)))).toEqual([
    true,
    false,
  ]);
});

test("the owner's program allows, denies and, when it fails, leaves it to a person", async () => {
  const program = [
    'question=$(cat); case "$question" in',
    `*yes.txt*) echo '{"decision": "allow"}';;`,
    `*no.txt*) echo '{"decision": "deny", "reason": "Not on a Friday."}';;`,
    "*) echo confused >&2; exit 3;; esac",
  ].join(" ");
  stage = await setStage({ approvals: `command = ["/bin/sh", "-c", ${JSON.stringify(program)}]` });
  const { ann, chat, project, model } = stage;
  await stage.start();
  ann.sends(
    chat,
    script([
      { tools: [touch("yes.txt")] },
      { tools: [touch("no.txt")] },
      { tools: [touch("maybe.txt")] },
      { text: "Done what I could." },
    ]),
  );
  const card = await chat.untilMessage(isRequest("maybe.txt"));
  expect(existsSync(join(project, "yes.txt"))).toBe(true);
  expect(existsSync(join(project, "no.txt"))).toBe(false);
  expect(model.lastToolResults().join()).toContain("Not on a Friday.");
  await ann.taps(card, "Allow").toast();
  await chat.untilMessage("Done what I could.");
  expect(decisions()).toEqual(["hook · allow", "hook · deny · Not on a Friday.", "Ann · allow"]);
  const failures =
    stage
      .bot()
      .log()
      .match(/hook\.failed.*/g) ?? [];
  expect(failures).toEqual([expect.stringContaining("it ended with exit code 3: confused")]);
});

test("a bot that is killed while the program thinks asks it again, and nobody sees a card", async () => {
  stage = await setStage({
    approvals: `command = ["/bin/sh", "-c", ": >>begun; if [ -e go ]; then echo '{\\"decision\\": \\"allow\\"}'; else sleep 1000; fi"]\ncommand_seconds = 1000`,
  });
  const { ann, chat, project, configFile } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [touch("made.txt")] }, { text: "Made." }]));
  const beside = (name: string) => join(configFile, "..", name);
  await eventually(() => existsSync(beside("begun")), "the program to think");
  await stage.bot().kill();
  writeFileSync(beside("go"), "");
  await stage.start();
  await chat.untilMessage("Made.");
  expect(existsSync(join(project, "made.txt"))).toBe(true);
  expect(decisions()).toEqual(["hook · allow"]);
  // What the first run of the program left behind is gone.
  expect(stage.bot().log()).toContain("recover.swept");
  expect(chat.fromBot().filter(isRequest("made.txt"))).toEqual([]);
});

test("a card that nobody answers is reminded of once, and then denied", async () => {
  stage = await setStage({ approvals: "remind_minutes = 0.02\nexpire_minutes = 0.15" });
  const { ann, chat, project, model } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [touch("made.txt")] }, { text: "Then I stop." }]));
  const card = await chat.untilMessage(isRequest("made.txt"));
  const reminder = await chat.untilMessage("This still waits for you:");
  expect(reminder.replyTo).toBe(card.id);
  await chat.untilMessage("Then I stop.");
  expect(existsSync(join(project, "made.txt"))).toBe(false);
  expect(model.lastToolResults().join()).toContain("Nobody answered within 0.15 minutes");
  const over = await chat.untilMessage("Denied: nobody answered within 0.15 minutes");
  expect([over.id, over.buttons]).toEqual([card.id, []]);
  const late = await ann.taps(card, "Allow").toast();
  expect(late.text).toBe("Too late: nobody answered within 0.15 minutes, so it was denied.");
});

test("/audit shows what was decided, and signoff audit prints it beside the running bot", async () => {
  stage = await setStage();
  const { ann, chat } = stage;
  await stage.start();
  ann.sends(chat, script([{ tools: [touch("made.txt")] }, { text: "Fine." }]));
  await ann.taps(await chat.untilMessage(isRequest("made.txt")), "Deny").toast();
  await chat.untilMessage("Fine.");
  ann.sends(chat, "/audit bash");
  const list = await chat.untilMessage("The last decisions about bash");
  expect(list.text).toContain("Ann · deny · web · Bash · touch made.txt");
  ann.sends(chat, "/audit api");
  await chat.untilMessage("Nothing was decided about api yet.");
  const printed = await stage.signoff("audit", "--json");
  expect(printed).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(printed.out)).toMatchObject({ who: "Ann", what: "deny", tool: "Bash", project: "web" });
});
