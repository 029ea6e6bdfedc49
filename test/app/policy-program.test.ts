import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { askProgram, type ProgramCall, type ProgramRun } from "../../src/app/policy-program.ts";
import { scanMarked } from "../../src/claude/marked.ts";
import { eventually } from "../support/eventually.ts";

/** Runs a shell script as the owner's program. */
function ask(script: string, more: Partial<ProgramCall> = {}): Promise<ProgramRun> {
  const cwd = mkdtempSync(`${tmpdir()}/signoff-program-`);
  onTestFinished(() => rmSync(cwd, { recursive: true, maxRetries: 5, retryDelay: 100 }));
  return askProgram({
    command: ["/bin/sh", "-c", script],
    question: { tool: "Bash" },
    cwd,
    env: { PATH: process.env.PATH ?? "" },
    seconds: 20,
    signal: new AbortController().signal,
    ...more,
  });
}

test("it reads the question on its stdin, which then ends, and prints its decision", async () => {
  const script = `read -r line; rest=$(cat); printf '{"decision": "deny", "reason": "%s%s"}\\n' "$(echo "$line" | tr -d '"')" "$rest"`;
  expect(await ask(script)).toEqual({
    kind: "answered",
    answer: { decision: "deny", reason: "{tool:Bash}" },
  });
});

test("it may answer without reading, however long the question is", async () => {
  const question = { tool: "Write", input: { content: "x".repeat(1_000_000) } };
  expect(await ask(`echo '{"decision": "allow"}'`, { question })).toEqual({
    kind: "answered",
    answer: { decision: "allow" },
  });
});

test("its environment is the one it is given, and nothing of ours", async () => {
  const script = `printf '{"decision": "ask", "reason": "%s|%s"}' "$MINE" "$HOME"`;
  expect(await ask(script, { env: { MINE: "yes" } })).toMatchObject({ answer: { reason: "yes|" } });
});

test.each([
  ["exit 3", "it ended with exit code 3"],
  ["echo broken >&2; exit 1", "it ended with exit code 1: broken"],
  ["kill -9 $$", "it was ended by SIGKILL"],
  ["true", 'it did not print one JSON object with a "decision" of allow, deny or ask'],
  ["echo allow", 'it did not print one JSON object with a "decision" of allow, deny or ask'],
  [`echo '{"decision": "yes"}'`, 'it did not print one JSON object with a "decision" of allow, deny or ask'],
  [
    `echo '{"decision": "allow"}'; echo '{"decision": "deny"}'`,
    'it did not print one JSON object with a "decision" of allow, deny or ask',
  ],
  [`echo '{"decision": "allow"}'; exit 1`, "it ended with exit code 1"],
  ['yes \'{"decision": "allow"}\'', "it wrote more than 64 KB"],
])("a program that fails has decided nothing: %s", async (script, why) => {
  expect(await ask(script)).toEqual({ kind: "failed", why });
});

test("a program that cannot be run is a failure like any other", async () => {
  const run = await ask("", { command: ["/nowhere/policy"] });
  expect(run).toMatchObject({ kind: "failed", why: expect.stringContaining("it cannot be run") });
});

test.each(["sleep 1000", "sleep 1000 & sleep 1000", "sleep 1000 & exit 0"])(
  "one that takes too long is ended with all that it started: %s",
  async (script) => {
    const env = { PATH: process.env.PATH ?? "", SIGNOFF_INSTANCE: crypto.randomUUID() };
    const run = await ask(script, { seconds: 0.3, env });
    expect(run).toEqual({ kind: "failed", why: "it took longer than 0.3 s" });
    await eventually(
      async () => (await scanMarked(env.SIGNOFF_INSTANCE)).length === 0,
      "all of it to be gone",
    );
  },
);

test("when we stop, it stops", async () => {
  const stopping = new AbortController();
  const env = { PATH: process.env.PATH ?? "", SIGNOFF_INSTANCE: crypto.randomUUID() };
  const run = ask("sleep 1000", { signal: stopping.signal, env });
  await eventually(async () => (await scanMarked(env.SIGNOFF_INSTANCE)).length > 0, "it to run");
  stopping.abort();
  expect(await run).toEqual({ kind: "stopped" });
  await eventually(async () => (await scanMarked(env.SIGNOFF_INSTANCE)).length === 0, "it to be gone");
});
