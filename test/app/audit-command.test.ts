import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AuditFormat, runAudit } from "../../src/app/audit-command.ts";
import { openStore, type Store } from "../../src/store/store.ts";

let home: string;
let store: Store | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "signoff-audit-"));
  await writeFile(join(home, "signoff.toml"), 'state_dir = "state"\n');
});
afterEach(async () => {
  store?.close();
  store = undefined;
  await rm(home, { recursive: true, force: true });
});

/** A store with two decisions in it, still open as under a running bot. */
async function running(): Promise<Store> {
  await mkdir(join(home, "state"));
  store = openStore(join(home, "state", "signoff.db"));
  store.audit.add({ at: Date.UTC(2026, 0, 2, 3, 4, 5), who: "policy", what: "allow", tool: "Read" });
  store.audit.add({
    at: Date.UTC(2026, 0, 2, 3, 4, 6),
    who: 'Ann "the boss", Dr.',
    whoId: 111,
    what: "deny",
    tool: "Bash",
    subject: "Bash · printf '\u001b[2J' | tee a,b",
    rule: "line one\nline two",
  });
  return store;
}

async function print(format: AuditFormat, limit = 100): Promise<string[]> {
  const lines: string[] = [];
  const around = {
    env: {},
    cwd: home,
    homedir: home,
    err: () => {},
    out: (line: string) => lines.push(line),
  };
  expect(await runAudit({ format, limit }, around)).toBe(0);
  return lines;
}

test("the table is for eyes: the newest first, and nothing in it can steer the terminal", async () => {
  await running();
  expect(await print("table")).toEqual([
    "at                        who                  what   tool  subject                             rule               project",
    "2026-01-02T03:04:06.000Z  Ann \"the boss\", Dr.  deny   Bash  Bash · printf '⟨ESC⟩[2J' | tee a,b  line one⏎line two",
    "2026-01-02T03:04:05.000Z  policy               allow  Read",
  ]);
});

test("JSON is one object a line, with every field", async () => {
  await running();
  const lines = await print("json");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      at: "2026-01-02T03:04:06.000Z",
      who: 'Ann "the boss", Dr.',
      who_id: 111,
      what: "deny",
      tool: "Bash",
      subject: "Bash · printf '\u001b[2J' | tee a,b",
      rule: "line one\nline two",
      project: null,
      session: null,
      request: null,
    },
    expect.objectContaining({ who: "policy", who_id: null, what: "allow", tool: "Read" }),
  ]);
});

test("CSV quotes what must be quoted, and nothing else", async () => {
  await running();
  expect(await print("csv")).toEqual([
    "at,who,who_id,what,tool,subject,rule,project,session,request",
    `2026-01-02T03:04:06.000Z,"Ann ""the boss"", Dr.",111,deny,Bash,"Bash · printf '\u001b[2J' | tee a,b","line one\nline two",,,`,
    "2026-01-02T03:04:05.000Z,policy,,allow,Read,,,,,",
  ]);
});

test("the limit keeps the newest", async () => {
  await running();
  expect(await print("json", 1)).toEqual([expect.stringContaining("Ann")]);
});

test("where no bot has been there is nothing to tell, and nothing is made", async () => {
  expect(await print("table")).toEqual(["Nothing was decided yet."]);
  expect(await print("json")).toEqual([]);
  expect(existsSync(join(home, "state"))).toBe(false);
});
