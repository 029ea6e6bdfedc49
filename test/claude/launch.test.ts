import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, readlink, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { endOf } from "../../src/claude/exit.ts";
import { launchProcess } from "../../src/claude/launch.ts";
import { scanMarked } from "../../src/claude/marked.ts";
import { errLog, inLog } from "../../src/claude/process-folder.ts";
import { isAlive } from "../../src/claude/process-identity.ts";
import { stopProcess } from "../../src/claude/stop.ts";
import { claudeCommand, throwAwayHome } from "../support/claude-home.ts";
import {
  acknowledgement,
  aPlace,
  fakeClaude,
  heldStdin,
  launched,
  saidIn,
  until,
} from "../support/held-process.ts";

test("the program gets its arguments as they are, the environment given plus the marks, and its own umask", async () => {
  const place = aPlace();
  const argv = ["a b", "$HOME `id`", "quote ' and \" and \\", "", "line\nbreak"];
  await launchProcess({
    folder: place.folder,
    argv: [...fakeClaude, ...argv],
    cwd: place.base,
    env: { PATH: "/nowhere", folder: "kept", code: "kept" },
    marks: { instance: place.instance, session: "s" },
  });
  heldStdin(place).send({ do: "tell" });
  const [told] = await until(() => {
    const said = saidIn(place.folder);
    expect(said).toHaveLength(1);
    return said;
  });
  expect(told).toEqual({
    argv,
    cwd: place.base,
    umask: process.umask(),
    env: {
      PATH: "/nowhere",
      folder: "kept",
      code: "kept",
      PWD: place.base,
      SIGNOFF_INSTANCE: place.instance,
      SIGNOFF_SESSION: "s",
    },
  });
});

test("the folder and its files are for this user alone", async () => {
  const place = aPlace();
  const identity = await launched(place, ["true"]);
  await until(async () => expect(await endOf(place.folder, identity)).toEqual({ how: "recorded", code: 0 }));
  const modes: Record<string, string> = { ".": await modeOf(place.folder) };
  for (const name of await readdir(place.folder)) modes[name] = await modeOf(join(place.folder, name));
  expect(modes).toEqual({
    ".": "700",
    "in.jsonl": "600",
    "out.jsonl": "600",
    "err.log": "600",
    exit: "600",
  });
});

test("a folder that holds anything is refused", async () => {
  const place = aPlace();
  await mkdir(place.folder);
  await writeFile(join(place.folder, "exit"), "0");
  const marks = { instance: place.instance, session: "s" };
  const result = await launchProcess({ folder: place.folder, argv: ["true"], cwd: "/", env: {}, marks });
  expect(result).toMatchObject({ ok: false, why: "folder_in_use" });
});

test("a working directory that is not there is said, and nothing is made or started", async () => {
  const place = aPlace();
  const cwd = join(place.base, "nowhere");
  const marks = { instance: place.instance, session: "s" };
  const result = await launchProcess({ folder: place.folder, argv: ["true"], cwd, env: {}, marks });
  expect(result).toEqual({ ok: false, why: "cwd_unusable", message: expect.stringContaining(cwd) });
  expect(await readdir(place.base)).toEqual([]);
});

test("a command line too long for the system is a result, not a throw", async () => {
  const place = aPlace();
  const argv = ["true", ...Array.from({ length: 40 }, () => "x".repeat(120_000))];
  const marks = { instance: place.instance, session: "s" };
  const result = await launchProcess({ folder: place.folder, argv, cwd: "/", env: {}, marks });
  expect(result).toMatchObject({ ok: false, why: "not_started", message: expect.stringContaining("E2BIG") });
});

test("a program that is not there ends with 127 and the shell's words in err.log", async () => {
  const place = aPlace();
  const identity = await launched(place, ["no-such-claude", "--flag"]);
  await until(async () =>
    expect(await endOf(place.folder, identity)).toEqual({ how: "recorded", code: 127 }),
  );
  expect(await readFile(errLog(place.folder), "utf8")).toContain("no-such-claude");
});

test.each([
  { end: "with a code", order: { do: "exit", code: 3 }, code: 3 },
  { end: "by SIGSEGV", order: { do: "kill", signal: "SIGSEGV" }, code: 139 },
  { end: "by SIGKILL", order: { do: "kill", signal: "SIGKILL" }, code: 137 },
  { end: "by SIGTERM", order: { do: "kill", signal: "SIGTERM" }, code: 143 },
])("an end $end is recorded and takes the whole group along", async ({ order, code }) => {
  const place = aPlace();
  const identity = await launched(place, fakeClaude);
  const { stdin, send } = heldStdin(place);
  send(order);
  await until(async () => expect(await endOf(place.folder, identity)).toEqual({ how: "recorded", code }));
  await stdin.close();
  await until(async () => expect(await scanMarked(place.instance)).toEqual([]));
  expect(await isAlive(identity)).toBe(false);
});

test("a SIGTERM to the whole group does not keep the program's own end from being recorded", async () => {
  const place = aPlace();
  const identity = await launched(place, [
    "/bin/sh",
    "-c",
    'trap "exit 7" TERM; echo {}; while :; do sleep 0.05; done',
  ]);
  await until(() => expect(saidIn(place.folder)).toHaveLength(1));
  process.kill(-identity.pid, "SIGTERM");
  await until(async () => expect(await endOf(place.folder, identity)).toEqual({ how: "recorded", code: 7 }));
});

test("a process outlives the kill -9 of the one that launched it, and is served on", async () => {
  const place = aPlace();
  const script = fileURLToPath(new URL("../support/launch-and-stay.ts", import.meta.url));
  const launcher = spawn(
    process.execPath,
    ["--import", "tsx", script, place.folder, place.instance, ...fakeClaude],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void launcher.kill("SIGKILL"));
  const [output] = await once(launcher.stdout, "data");
  const identity = JSON.parse(String(output));
  launcher.kill("SIGKILL");
  await once(launcher, "exit");

  heldStdin(place).send("still there?");
  await until(() => expect(saidIn(place.folder)).toEqual([acknowledgement("still there?")]));
  expect(await isAlive(identity)).toBe(true);
});

test.runIf(process.platform === "linux")(
  "a process does not inherit the PTYs of other sessions",
  async () => {
    const other = aPlace();
    await launched(other, fakeClaude);
    await heldStdin(other).stdin.settled();

    const place = aPlace();
    await launched(place, fakeClaude);
    heldStdin(place).send("up");
    await until(() => expect(saidIn(place.folder)).toHaveLength(1));
    const ours = (await scanMarked(place.instance)).filter(({ session }) => session === "s");
    const open = (await Promise.all(ours.map(({ pid }) => openFiles(pid)))).flat();
    expect(open).toContain(inLog(place.folder));
    expect(open.filter((file) => file.includes("ptmx") || file.includes("pts"))).toEqual([]);
  },
);

test("the real CLI answers over the logs and ends when asked", async () => {
  const place = aPlace();
  const home = await throwAwayHome();
  onTestFinished(() => home.cleanup());
  const result = await launchProcess({
    folder: place.folder,
    argv: [
      claudeCommand(),
      ..."--output-format stream-json --input-format stream-json --verbose".split(" "),
      ..."--permission-prompt-tool stdio --permission-mode default".split(" "),
    ],
    cwd: place.base,
    // A closed port: what is asked here needs no model.
    env: home.env({ url: "http://127.0.0.1:9" }),
    marks: { instance: place.instance, session: "s" },
  });
  if (!result.ok) throw new Error(result.message);
  const { send } = heldStdin(place);
  send({ type: "control_request", request_id: "1", request: { subtype: "initialize", hooks: null } });
  await until(() => {
    expect(saidIn(place.folder)).toContainEqual(
      expect.objectContaining({
        type: "control_response",
        response: expect.objectContaining({ subtype: "success", request_id: "1" }),
      }),
    );
  });
  const askToEnd = () =>
    send({ type: "control_request", request_id: "2", request: { subtype: "end_session" } });
  const stopped = await stopProcess({
    ...result,
    marks: { instance: place.instance, session: "s" },
    askToEnd,
  });
  expect(stopped).toEqual({ took: "asking", strays: [], left: [] });
  expect(await endOf(place.folder, result)).toEqual({ how: "recorded", code: 0 });
});

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

async function openFiles(pid: number): Promise<string[]> {
  const links = (await readdir(`/proc/${pid}/fd`)).map(async (fd) => {
    // A descriptor may be closed between the listing and the look.
    return readlink(`/proc/${pid}/fd/${fd}`).catch(() => "/dev/null");
  });
  return Promise.all(links);
}
