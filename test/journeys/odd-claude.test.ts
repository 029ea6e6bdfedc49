import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SeenMessage } from "../support/bot-api/seen-message.ts";
import { type Stage, setStage } from "../support/stage.ts";

// What the real CLI cannot be made to say on demand is played by a stand-in that speaks its language.

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
  const standIn = fileURLToPath(new URL("../support/scripted-claude.mjs", import.meta.url));
  const command = `command = ${JSON.stringify([process.execPath, standIn])}`;
  const config = await readFile(stage.configFile, "utf8");
  await writeFile(stage.configFile, config.replace(/^command = .*$/m, command));
  await stage.start();
});
afterAll(() => stage.close());

type Message = { type: string; [field: string]: unknown };
type Step = { say: Message } | { raw: string } | { hear: string };

/** Has the stand-in play these steps; then it ends the turn with the answers it heard. */
const plays = (steps: Step[]): SeenMessage => stage.ann.sends(stage.chat, `PLAY:${JSON.stringify(steps)}`);

const asks = (id: string, tool: string, input: object, more: object = {}): Step => ({
  say: {
    type: "control_request",
    request_id: id,
    request: { subtype: "can_use_tool", tool_name: tool, input, tool_use_id: `use-${id}`, ...more },
  },
});

const suggests = (tool: string, ruleContent: string) => ({
  permission_suggestions: [
    {
      type: "addRules",
      rules: [{ toolName: tool, ruleContent }],
      behavior: "allow",
      destination: "localSettings",
    },
  ],
});

const labels = ({ buttons }: SeenMessage): string[] => buttons.flat().map(({ text }) => text);

/** The card that asks about this. */
const card = (about: string): Promise<SeenMessage> =>
  stage.chat.untilMessage((message) => message.text.includes(about) && labels(message).includes("Deny"));

test("a question of a kind nobody knows is answered with an error, so that Claude does not wait for ever", async () => {
  const { chat } = stage;
  plays([
    { say: { type: "control_request", request_id: "moon", request: { subtype: "moon_phase" } } },
    { hear: "moon" },
  ]);
  const answer = await chat.untilMessage('"moon"');
  expect(answer.text).toContain('"subtype":"error"');
  expect(answer.text).toContain("moon_phase");
});

test("a request that Claude withdraws closes its card, and the other one still counts", async () => {
  const { ann, chat } = stage;
  plays([
    asks("gone", "Bash", { command: "touch gone.txt" }, { agent_id: "a1" }),
    asks("stays", "Bash", { command: "touch stays.txt" }),
    { hear: "stays" },
    { say: { type: "control_cancel_request", request_id: "gone" } },
  ]);
  const gone = await card("touch gone.txt");
  expect((await ann.taps(await card("touch stays.txt"), "Allow").toast()).text).toBe("Allowed");
  const closed = await chat.untilMessage((message) => message.id === gone.id && message.buttons.length === 0);
  expect(closed.text).toMatch(/no longer|withdrawn/i);
  expect((await ann.taps(gone, "Allow").toast()).text).toBe("Claude no longer needs this.");
  const answer = await chat.untilMessage('"stays"');
  expect(answer.text).not.toContain('"gone"');
});

test("what Claude would rather have refused takes two taps, and a thumb that taps twice allows nothing", async () => {
  const { ann, chat } = stage;
  const care = { default_to_no: true, ...suggests("Bash", "rm:*") };
  plays([asks("care", "Bash", { command: "rm -rf build" }, care), { hear: "care" }]);
  const first = await card("rm -rf build");
  expect(labels(first)).toEqual(["Allow…", "Deny"]);
  expect((await ann.taps(first, "Allow…").toast()).text).toBe("Tap once more to allow it");
  // The same button once more, as a thumb that taps twice does it.
  expect((await ann.taps(first, "Allow…").toast()).text).toBe("Tap once more to allow it");
  const second = await chat.untilMessage((message) => labels(message).includes("Yes, allow"));
  expect(second.id).toBe(first.id);
  expect(labels(second)).toEqual(["No, go back", "Yes, allow"]);
  await ann.taps(second, "No, go back").toast();
  await chat.untilMessage((message) => message.id === first.id && labels(message).includes("Allow…"));
  await ann.taps(first, "Allow…").toast();
  await chat.untilMessage((message) => message.id === first.id && labels(message).includes("Yes, allow"));
  expect((await ann.taps(second, "Yes, allow").toast()).text).toBe("Allowed");
  expect((await chat.untilMessage('"care"')).text).toContain('"behavior":"allow"');
});

test("no Always is offered where Claude says so, and one that is forged allows nothing for good", async () => {
  const { ann, chat } = stage;
  const never = { suppress_always_allow_rule: true, ...suggests("Bash", "git push:*") };
  plays([asks("never", "Bash", { command: "git push" }, never), { hear: "never" }]);
  const shown = await card("git push");
  expect(labels(shown)).toEqual(["Allow", "Deny"]);
  const [allow] = shown.buttons.flat();
  if (allow === undefined || !("callback_data" in allow)) throw new Error("no button");
  const forged = { ...allow, callback_data: allow.callback_data.replace(":allow:", ":always:") };
  await ann.taps({ ...shown, buttons: [[forged]] }, forged).toast();
  const answer = await chat.untilMessage('"never"');
  expect(answer.text).not.toContain("updatedPermissions");
});

test("the owner's own ask rule comes to the owner, though the safe set would answer", async () => {
  const { ann, chat, project } = stage;
  const file_path = join(project, "diary.txt");
  const rule = { matched_ask_rule: { source: "userSettings", toolName: "Read" } };
  plays([
    asks("plain", "Read", { file_path: join(project, "plain.txt") }),
    { hear: "plain" },
    asks("ruled", "Read", { file_path }, rule),
    { hear: "ruled" },
  ]);
  const shown = await card("diary.txt");
  expect((await ann.taps(shown, "Deny").toast()).text).toBe("Denied");
  const answer = await chat.untilMessage('"ruled"');
  expect(answer.text).toMatch(/"plain".*"behavior":"allow".*"ruled".*"behavior":"deny"/s);
  expect(chat.fromBot().filter(({ text }) => text.includes("plain.txt") && text !== answer.text)).toEqual([]);
});

test("five megabytes to be written make a readable card; Show all sends the whole", async () => {
  const { ann, chat } = stage;
  const input = { file_path: "big.txt", content: "$BIG" };
  const content = [{ type: "tool_use", id: "use-big", name: "Write", input }];
  plays([
    { say: { type: "assistant", message: { id: "m1", role: "assistant", content } } },
    asks("big", "Write", input),
    { hear: "big" },
  ]);
  const shown = await card("big.txt");
  expect(shown.text.length).toBeLessThan(3_000);
  expect(shown.text).toContain("first line");
  expect(shown.text).toContain("last line");
  expect((await ann.taps(shown, "Show all").toast()).text).toBe("Sending all of it…");
  const whole = await chat.untilMessage(({ file }) => file !== undefined);
  expect(whole.file?.content.length).toBeGreaterThan(5_000_000);
  expect((await ann.taps(shown, "Allow").toast()).text).toBe("Allowed");
  // The input goes back as it came: the stand-in writes its own text as $BIG again.
  expect((await chat.untilMessage('"big"')).text).toContain('"content":"$BIG"');
});

test("a broken line and unknown types are skipped, and what stands beside them counts", async () => {
  const { ann, chat } = stage;
  const blocks = [{ type: "hologram", light: 7 }, { type: "text", text: "Beside a hologram." }, "odd", null];
  plays([
    { raw: '{"type":"assistant","message":{"content":[{"type":"te' },
    { raw: "" },
    { raw: "null" },
    { raw: "[1, 2]" },
    { raw: "\u0000\u0001 not for the eye" },
    { say: { type: "brand_new_message", payload: { deep: [1] } } },
    { say: { type: "system", subtype: "of_next_year" } },
    { say: { type: "control_request" } },
    { say: { type: "assistant", message: { id: "m2", role: "assistant", content: blocks } } },
    asks("beside", "Bash", { command: "touch beside.txt" }),
    { raw: "{]" },
    { hear: "beside" },
  ]);
  expect((await ann.taps(await card("touch beside.txt"), "Allow").toast()).text).toBe("Allowed");
  expect((await chat.untilMessage('"beside"')).text).toContain('"behavior":"allow"');
  expect(stage.bot().log()).toContain("claude.bad_line");
  expect(stage.bot().log()).toContain("brand_new_message");
});
