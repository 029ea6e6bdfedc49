// Records what the real CLI says: `npx tsx test/support/record.ts [scenario …]` writes test/recordings/<scenario>.jsonl.
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { throwAwayHome } from "./claude-home.ts";
import type { ClaudeProcess } from "./claude-process.ts";
import { startModel } from "./model/model.ts";
import { withPlaceholders } from "./record-placeholders.ts";
import { scenarios } from "./record-scenarios.ts";

const wanted = process.argv.slice(2);
for (const [name, play] of Object.entries(scenarios)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const model = await startModel();
  const home = await throwAwayHome();
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "signoff-project-")));
  const started: ClaudeProcess[] = [];
  // A scenario that the CLI does not follow would wait for ever; ended, it fails with all that was said.
  const deadline = setTimeout(() => started.forEach((claude) => claude.kill("SIGTERM")), 30_000);
  try {
    const claude = await play({ model, cwd, env: home.env(model), started });
    const lines = withPlaceholders(claude.lines, { cwd, home: home.home });
    const file = new URL(`../recordings/${name}.jsonl`, import.meta.url);
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    process.stdout.write(
      `${name}: ${lines.length} lines, exit ${await claude.ended} ${claude.stderr().trim()}\n`,
    );
  } finally {
    clearTimeout(deadline);
    for (const claude of started) claude.kill("SIGKILL");
    await Promise.all(started.map((claude) => claude.ended));
    await model.close();
    await home.cleanup();
    await rm(cwd, { recursive: true, force: true });
  }
}
