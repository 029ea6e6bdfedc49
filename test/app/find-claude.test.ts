import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigError } from "../../src/app/config-error.ts";
import { findClaude } from "../../src/app/find-claude.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signoff-claude-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, script: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, mode);
  return path;
}

const find = (
  command: [string, ...string[]],
  more: { env?: Record<string, string>; patience?: number } = {},
) => findClaude({ command, env: { PATH: `${folder}:/usr/bin:/bin` }, ...more });

async function complaint(finding: Promise<unknown>): Promise<string> {
  const error = await finding.catch((thrown: unknown) => thrown);
  if (!(error instanceof ConfigError))
    throw new Error("It was accepted, or failed otherwise.", { cause: error });
  return error.message.replaceAll(folder, "FOLDER");
}

test("a name is looked up on the child's PATH, and asked for its version in the child's environment", async () => {
  const path = await program(
    "claude",
    'test -z "$TELEGRAM_BOT_TOKEN$VITEST" && echo "2.1.325 (Claude Code)"',
  );
  expect(await find(["claude"])).toEqual({ command: [path], version: "2.1.325" });
});

test("an argv keeps its arguments", async () => {
  const path = await program("run", 'test "$1 $2" = "--fast --version" && echo 10.0.0');
  expect(await find(["run", "--fast"])).toEqual({ command: [path, "--fast"], version: "10.0.0" });
});

test("a full path needs no PATH", async () => {
  const path = await program("mine", "echo 2.1.0");
  expect(await find([path], { env: {} })).toEqual({ command: [path], version: "2.1.0" });
});

test("a name that is not on the PATH", async () => {
  expect(await complaint(find(["claude"]))).toMatchInlineSnapshot(
    `"claude.command "claude" was not found on the PATH. Install Claude Code (npm install -g @anthropic-ai/claude-code) or give its full path."`,
  );
});

test("a path where there is nothing", async () => {
  expect(await complaint(find([join(folder, "claude")]))).toMatchInlineSnapshot(
    `"claude.command "FOLDER/claude" is not a program that can be run. Install Claude Code (npm install -g @anthropic-ai/claude-code) or give its full path."`,
  );
});

test("a file that may not be run", async () => {
  const path = await program("claude", "echo 2.1.0", 0o644);
  expect(await complaint(find([path]))).toMatchInlineSnapshot(
    `"claude.command "FOLDER/claude" is not a program that can be run. Install Claude Code (npm install -g @anthropic-ai/claude-code) or give its full path."`,
  );
});

test("a version that is too old", async () => {
  await program("claude", 'echo "2.0.99 (Claude Code)"');
  expect(await complaint(find(["claude"]))).toMatchInlineSnapshot(
    `"claude.command "claude" is version 2.0.99; Signoff needs 2.1.0 or newer. Update it (claude update)."`,
  );
});

test("a program that fails", async () => {
  await program("claude", "echo 'native binary not installed' >&2; echo more >&2; exit 1");
  expect(await complaint(find(["claude"]))).toMatchInlineSnapshot(
    `"claude.command "claude" cannot be run: exit code 1, native binary not installed. Try "FOLDER/claude --version" yourself."`,
  );
});

test("a program that the system refuses to start", async () => {
  await program("claude", "");
  await writeFile(join(folder, "claude"), "#!/no/such/shell\n");
  expect(await complaint(find(["claude"]))).toMatchInlineSnapshot(
    `"claude.command "claude" cannot be run: spawn FOLDER/claude ENOENT. Try "FOLDER/claude --version" yourself."`,
  );
});

test("a program that tells no version may still be used, with a warning", async () => {
  const path = await program("claude", "echo hello");
  expect(await find(["claude"])).toEqual({
    command: [path],
    warning: 'claude.command "claude" did not tell its version: its answer to --version holds none.',
  });
});

test("a program that does not answer in time may still be used, with a warning", async () => {
  const path = await program("claude", "exec sleep 60");
  expect(await find(["claude"], { patience: 200 })).toEqual({
    command: [path],
    warning: 'claude.command "claude" did not tell its version: no answer to --version within 0.2 s.',
  });
});
