import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { killMarked, markEnv, parsePs, scanMarked } from "../../src/claude/marked.ts";
import { identify, isAlive } from "../../src/claude/process-identity.ts";
import { aPlace, until } from "../support/held-process.ts";

const tables = process.platform === "linux" ? (["proc", "ps"] as const) : (["ps"] as const);

test.each(tables)(
  "one scan of %s finds what carries the instance's mark, and nothing else",
  async (table) => {
    const { instance } = aPlace();
    const tool = await aProcess(markEnv({ instance, session: "s1" }));
    const writer = await aProcess(markEnv({ instance, stdin: "f1" }));
    await aProcess(markEnv({ instance: `${instance}0`, session: "s1" }));
    await aProcess({ OTHER: `SIGNOFF_INSTANCE=${instance}` });
    const found = (await scanMarked(instance, table)).sort((a, b) => a.pid - b.pid);
    expect(found).toEqual(
      [
        { pid: tool, session: "s1" },
        { pid: writer, stdin: "f1" },
      ].sort((a, b) => a.pid - b.pid),
    );
  },
);

test("the lines of ps are read word by word", () => {
  const output = [
    "    1 /sbin/init",
    "  812 node a.mjs HOME=/home/me SIGNOFF_INSTANCE=i SIGNOFF_SESSION=s PATH=/bin",
    "  813 cat SIGNOFF_STDIN=f SIGNOFF_INSTANCE=i",
    "  814 node SIGNOFF_INSTANCE=ii SIGNOFF_SESSION=s",
    "",
  ].join("\n");
  expect(parsePs(output, "i")).toEqual([
    { pid: 812, session: "s" },
    { pid: 813, stdin: "f" },
  ]);
});

test("we never find ourselves", async () => {
  const { instance } = aPlace();
  const script =
    "const { scanMarked } = await import(process.argv[1]); process.stdout.write(JSON.stringify(await scanMarked(process.env.SIGNOFF_INSTANCE)))";
  const module = new URL("../../src/claude/marked.ts", import.meta.url).href;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script, module], {
    env: { ...process.env, ...markEnv({ instance, session: "s" }) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const found: { pid: number }[] = JSON.parse(String((await once(child.stdout, "data"))[0]));
  // tsx may run helpers of its own, which inherit the environment: they are found, and rightly so.
  expect(found.map(({ pid }) => pid)).not.toContain(child.pid);
});

test("killing goes on until a scan finds none", async () => {
  const { instance } = aPlace();
  const one = await aProcess(markEnv({ instance, session: "s1" }));
  const two = await aProcess(markEnv({ instance, session: "s2" }));
  expect(await killMarked(instance, ({ session }) => session === "s1")).toEqual({ killed: [one], left: [] });
  expect(await scanMarked(instance)).toEqual([{ pid: two, session: "s2" }]);
});

test.each(tables)(
  "by %s a process is alive under its own start time only, and a zombie is not",
  async (table) => {
    const { instance } = aPlace();
    const pid = await aProcess(markEnv({ instance, session: "s" }));
    const identity = identify(pid, table);
    if (identity === undefined) throw new Error("not identified");
    expect(await isAlive({ pid, startTime: "another" }, table)).toBe(false);
    process.kill(pid, "SIGKILL");
    await until(async () => expect(await isAlive(identity, table)).toBe(false));
    expect(identify(2 ** 22 + 1, table)).toBeUndefined();
  },
);

async function aProcess(env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, ["-e", "process.stdout.write('up'); setInterval(() => {}, 1000)"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  if (child.pid === undefined) throw new Error("not started");
  return child.pid;
}
