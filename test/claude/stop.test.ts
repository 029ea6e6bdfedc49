import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { endOf } from "../../src/claude/exit.ts";
import { markEnv, scanMarked } from "../../src/claude/marked.ts";
import { identify, isAlive } from "../../src/claude/process-identity.ts";
import { stopProcess, sweep } from "../../src/claude/stop.ts";
import { aPlace, fakeClaude, heldStdin, launched, saidIn, until } from "../support/held-process.ts";

const nothing = () => {};

test("a process that ends when asked is not signalled, and nothing is left", async () => {
  const place = aPlace();
  const identity = await launched(place, fakeClaude);
  const { stdin, send } = heldStdin(place);
  const askToEnd = () => send({ do: "exit", code: 0 });
  const stopped = await stopProcess({ ...identity, marks: marksOf(place), askToEnd });
  expect(stopped).toEqual({ took: "asking", strays: [], left: [] });
  expect(await endOf(place.folder, identity)).toEqual({ how: "recorded", code: 0 });
  await stdin.close();
  expect(await scanMarked(place.instance)).toEqual([]);
});

test("a process that does not listen gets SIGTERM, and its end is recorded", async () => {
  const place = aPlace();
  const identity = await launched(place, fakeClaude);
  const stopped = await stopProcess({ ...identity, marks: marksOf(place), askToEnd: nothing, graceMs: 50 });
  expect(stopped).toEqual({ took: "sigterm", strays: [], left: [] });
  expect(await endOf(place.folder, identity)).toEqual({ how: "recorded", code: 143 });
});

test("deaf processes and tools in sessions of their own are killed, and nothing is left", async () => {
  const place = aPlace();
  const identity = await launched(place, fakeClaude);
  const { stdin, send } = heldStdin(place);
  send({ do: "deafen" });
  send({ do: "child" });
  await until(() => expect(saidIn(place.folder)).toHaveLength(2));
  const child = saidIn(place.folder).find((said) => "child" in said)?.["child"];

  const patience = { graceMs: 50, signalMs: 300 };
  const stopped = await stopProcess({ ...identity, marks: marksOf(place), askToEnd: nothing, ...patience });
  expect(stopped).toEqual({ took: "sigkill", strays: [child], left: [] });
  expect(await endOf(place.folder, identity)).toEqual({ how: "vanished" });
  await stdin.close();
  expect(await scanMarked(place.instance)).toEqual([]);
});

test("what a process left behind is killed even if the process itself is long gone", async () => {
  const place = aPlace();
  const identity = await launched(place, fakeClaude);
  const { send } = heldStdin(place);
  send({ do: "child" });
  await until(() => expect(saidIn(place.folder)).toHaveLength(1));
  send({ do: "exit", code: 0 });
  await until(async () => expect(await isAlive(identity)).toBe(false));

  const stopped = await stopProcess({ ...identity, marks: marksOf(place), askToEnd: nothing });
  expect(stopped).toEqual({ took: "nothing", strays: [saidIn(place.folder)[0]?.["child"]], left: [] });
});

test("a stranger that got the pid of an ended process is neither asked nor signalled", async () => {
  const { instance } = aPlace();
  const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true });
  onTestFinished(() => void stranger.kill("SIGKILL"));
  const identity = identify(stranger.pid ?? 0);
  if (identity === undefined) throw new Error("not started");
  let asked = false;
  const stopped = await stopProcess({
    pid: identity.pid,
    startTime: "before the stranger",
    marks: { instance, session: "s" },
    askToEnd: () => {
      asked = true;
    },
  });
  expect(stopped).toEqual({ took: "nothing", strays: [], left: [] });
  expect(asked).toBe(false);
  expect(await isAlive(identity)).toBe(true);
});

test("the sweep kills sessions nobody knows, of its own instance only", async () => {
  const mine = aPlace();
  const others = aPlace();
  const known = started(markEnv({ instance: mine.instance, session: "known" }));
  const unknown = started(markEnv({ instance: mine.instance, session: "unknown" }));
  const writer = started(markEnv({ instance: mine.instance, stdin: "f" }));
  const foreign = started(markEnv({ instance: others.instance, session: "unknown" }));
  expect(await sweep(mine.instance, (session) => session === "known")).toEqual([unknown]);
  const left = [...(await scanMarked(mine.instance)), ...(await scanMarked(others.instance))];
  expect(new Set(left.map(({ pid }) => pid))).toEqual(new Set([known, writer, foreign]));
});

function marksOf({ instance }: { instance: string }) {
  return { instance, session: "s" };
}

function started(env: Record<string, string>): number {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.pid === undefined) throw new Error("not started");
  return child.pid;
}
