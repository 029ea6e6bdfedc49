import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeAsk, withdrawRequest } from "../../src/app/approvals.ts";
import { createPolicyHook } from "../../src/app/policy-hook.ts";
import { createTasks } from "../../src/app/tasks.ts";
import type { Ask } from "../../src/core/agent-event.ts";
import { eventually } from "../support/eventually.ts";
import { aDesk } from "./a-desk.ts";

/** A desk whose program is this shell script; `$HERE` is a folder of the test's. */
function withProgram(script: string) {
  const program: { command: [string, ...string[]]; seconds: number } = { command: ["/bin/sh"], seconds: 20 };
  const stage = aDesk({ approvals: { program } });
  const file = join(stage.root, "policy");
  writeFileSync(file, `#!/bin/sh\nHERE=${stage.root}\n${script}\n`);
  chmodSync(file, 0o700);
  program.command = [file];
  const tasks = createTasks(stage.desk.log);
  const start = (desk = stage.desk) =>
    createPolicyHook(desk, {
      instance: crypto.randomUUID(),
      parentEnv: { PATH: process.env.PATH, TELEGRAM_BOT_TOKEN: "1:secret" },
      tasks,
    });
  const hook = start();
  const request = (desk = stage.desk) => desk.store.requests.byWire(stage.processId, "wire-1");
  return {
    ...stage,
    hook,
    start,
    request,
    tasks,
    there: (name: string) => eventually(() => existsSync(join(stage.root, name)), `${name} to be there`),
    /** Claude asks; the row is written, and the program is asked. */
    ask: (fields: Partial<Ask> = {}): void => {
      takeAsk(stage.desk, stage.session(), stage.processId, stage.nextAsk(fields));
      for (const id of stage.hooked) hook.wake(id);
    },
    /** Until the row says something else than that it waits without a card. */
    settled: (desk = stage.desk) =>
      eventually(
        () => request(desk)?.state !== "waiting" || request(desk)?.cardId !== undefined,
        "the hook to have its effect",
      ),
  };
}

const says = (answer: object) => `cat >"$HERE/question"; echo '${JSON.stringify(answer)}'`;

test("it is told all about the request, and nothing of the token", async () => {
  const { ask, settled, root, config } = withProgram(`env >"$HERE/env"; ${says({ decision: "allow" })}`);
  ask({
    tool: "Edit",
    input: { file_path: "src/a.ts" },
    description: "Edit a file",
    reason: "It asks",
    agentId: "a1",
    agentName: "tests",
  });
  await settled();
  const path = config.defaultProject.path;
  expect(JSON.parse(readFileSync(join(root, "question"), "utf8"))).toEqual({
    tool: "Edit",
    input: { file_path: "src/a.ts" },
    project: "web",
    path,
    session: "claude-1",
    agent: "tests",
    description: "Edit a file",
    reason: "It asks",
    reach: "inside",
    paths: [{ written: join(path, "src/a.ts"), real: join(path, "src/a.ts") }],
  });
  expect(readFileSync(join(root, "env"), "utf8")).not.toContain("secret");
});

test("what it allows goes on without a card, and is in the audit as its own", async () => {
  const { ask, settled, request, deliver, written, desk, hooked } = withProgram(says({ decision: "allow" }));
  ask();
  expect([hooked.length, request()?.state, deliver()]).toEqual([1, "waiting", []]);
  await settled();
  expect(request()?.outcome).toMatchObject({ kind: "allowed", by: "hook" });
  expect(deliver()).toEqual([]);
  expect(written()).toContain('"behavior":"allow"');
  expect(desk.store.audit.newest(1)).toMatchObject([{ who: "hook", what: "allow", tool: "Bash" }]);
});

test("what it denies is denied with its reason", async () => {
  const { ask, settled, deliver, written, desk } = withProgram(
    says({ decision: "deny", reason: "Not on a Friday." }),
  );
  ask();
  await settled();
  expect(deliver()).toEqual([]);
  expect(written()).toContain("The user denied this. Not on a Friday.");
  expect(desk.store.audit.newest(1)).toMatchObject([{ who: "hook", what: "deny", rule: "Not on a Friday." }]);
});

test.each([
  ["it says ask", says({ decision: "ask" }), ""],
  ["it fails", "exit 7", "it ended with exit code 7"],
])("a person is asked when %s", async (_when, script, logged) => {
  const { ask, settled, request, deliver, log } = withProgram(script);
  ask();
  await settled();
  expect(request()?.state).toBe("waiting");
  expect(deliver().map(({ text }) => text)).toEqual([expect.stringContaining("npm test")]);
  expect(log()).toContain(logged);
  expect(log().match(/hook\.failed/g) ?? []).toHaveLength(logged === "" ? 0 : 1);
});

test("what was withdrawn meanwhile stays so, whatever it says in the end", async () => {
  const { ask, there, desk, processId, request, deliver, tasks, written, root } = withProgram(
    `: >"$HERE/begun"; until [ -e "$HERE/go" ]; do sleep 0.05; done; ${says({ decision: "allow" })}`,
  );
  ask();
  await there("begun");
  withdrawRequest(desk, processId, "wire-1");
  writeFileSync(join(root, "go"), "");
  await there("question");
  await tasks.settled();
  expect([request()?.state, deliver(), written()]).toEqual(["withdrawn", [], ""]);
});

test("a stop ends it and changes nothing; the next start asks it again", async () => {
  const { ask, there, hook, tasks, request, restart, start, settled } = withProgram(
    `if [ -e "$HERE/begun" ]; then ${says({ decision: "allow" })}; exit; fi; : >"$HERE/begun"; sleep 1000`,
  );
  ask();
  await there("begun");
  hook.stop();
  await tasks.settled();
  expect(request()).toMatchObject({ state: "waiting" });
  expect(request()?.cardId).toBeUndefined();
  const desk = restart();
  const [waiting] = desk.store.requests.waiting();
  if (waiting === undefined) throw new Error("The request is gone");
  start(desk).wake(waiting.id);
  await settled(desk);
  expect(request(desk)?.outcome).toMatchObject({ kind: "allowed", by: "hook" });
});

test("without a program, what was left for it is shown to a person", async () => {
  const { ask, hook, config, tasks, request, start, deliver, hooked, settled } = withProgram("sleep 1000");
  ask();
  hook.stop();
  await tasks.settled();
  delete config.approvals.program;
  for (const id of hooked) start().wake(id);
  await settled();
  expect(request()?.state).toBe("waiting");
  expect(deliver()).toHaveLength(1);
});

test.each<[string, Partial<Ask>]>([
  ["Claude says that it needs a person", { needsPerson: true }],
  ["a rule of Claude's says ask", { matchedAskRule: true }],
  ["it is a question", { tool: "AskUserQuestion" }],
])("it is not asked when %s", (_why, fields) => {
  const { ask, hooked, deliver } = withProgram("exit 1");
  ask(fields);
  expect([hooked.length, deliver().length]).toEqual([0, 1]);
});
