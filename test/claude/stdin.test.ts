import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { markEnv, scanMarked } from "../../src/claude/marked.ts";
import { createFolder, inLog } from "../../src/claude/process-folder.ts";
import {
  acknowledgement,
  aPlace,
  fakeClaude,
  heldStdin,
  launched,
  saidIn,
  until,
} from "../support/held-process.ts";

test("10 MB of control characters and non-ASCII arrive intact", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const bytes = everyByte(10_000_000);
  const { stdin } = heldStdin(place, bytes);
  expect(await stdin.settled()).toEqual({ ok: true });
  expect(readFileSync(inLog(place.folder)).equals(bytes)).toBe(true);
});

test("a line torn by a kill -9 of its writer is completed, and every line is received once and whole", async () => {
  const place = aPlace();
  await launched(place, fakeClaude);
  const lines = ["before", "ä€😀\u0001\u0003\u0004".repeat(240_000), "after"];
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const bytesFile = join(place.base, "bytes");
  await writeFile(bytesFile, bytes);

  const script = fileURLToPath(new URL("../support/hold-stdin.ts", import.meta.url));
  const holder = spawn(
    process.execPath,
    ["--import", "tsx", script, place.folder, place.instance, bytesFile, "1200000"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  holder.kill("SIGKILL");
  await once(holder, "exit");
  expect(statSync(inLog(place.folder)).size).toBeLessThan(bytes.length);

  const { stdin } = heldStdin(place, bytes);
  expect(await stdin.settled()).toEqual({ ok: true });
  expect(readFileSync(inLog(place.folder)).equals(bytes)).toBe(true);
  await until(() => expect(saidIn(place.folder)).toEqual(lines.map(acknowledgement)));
});

test("opening goes on where the log ends", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  await writeFile(inLog(place.folder), "one\ntw");
  const { stdin, send } = heldStdin(place, Buffer.from("one\ntwo\n"));
  send("three");
  expect(await stdin.settled()).toEqual({ ok: true });
  expect(readFileSync(inLog(place.folder), "utf8")).toBe("one\ntwo\nthree\n");
});

test("a writer that is still at it from before is ended before the first byte", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const append = "setInterval(() => require('fs').appendFileSync(process.argv[1], 'x'), 1)";
  const marks = { instance: place.instance, stdin: basename(place.folder) };
  const old = spawn(process.execPath, ["-e", append, inLog(place.folder)], { env: markEnv(marks) });
  const ended = once(old, "exit");
  await until(() => expect(statSync(inLog(place.folder)).size).toBeGreaterThan(0));

  const bytes = Buffer.alloc(1_000_000, "x");
  const { stdin } = heldStdin(place, bytes);
  expect(await stdin.settled()).toEqual({ ok: true });
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(readFileSync(inLog(place.folder)).equals(bytes)).toBe(true);
});

test("a writer that dies on the way is replaced, and no byte is lost or doubled", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const bytes = everyByte(8_000_000);
  const { stdin, failures } = heldStdin(place, bytes);
  for (const part of [1_000_000, 4_000_000]) {
    await until(() => expect(statSync(inLog(place.folder)).size).toBeGreaterThan(part));
    for (const pid of await writersOf(place)) process.kill(pid, "SIGKILL");
  }
  expect(await stdin.settled()).toEqual({ ok: true });
  expect(readFileSync(inLog(place.folder)).equals(bytes)).toBe(true);
  expect(failures).toEqual([]);
});

test("a writer that is stopped holds up its own bytes, and not the bot", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const bytes = everyByte(1_000_000);
  const { stdin, send } = heldStdin(place, Buffer.from("first\n"));
  expect(await stdin.settled()).toEqual({ ok: true });
  const [writer] = await scanMarked(place.instance);
  if (writer === undefined) throw new Error("there is no writer");
  process.kill(writer.pid, "SIGSTOP");
  send(bytes.toString("base64"));
  // Were the write to spin, no timer would ever fire again.
  await new Promise((resolve) => setTimeout(resolve, 1));
  process.kill(writer.pid, "SIGCONT");
  expect(await stdin.settled()).toEqual({ ok: true });
  expect(readFileSync(inLog(place.folder), "utf8")).toBe(`first\n${bytes.toString("base64")}\n`);
});

test("a writer that dies while nothing is to be written is replaced too", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const { stdin, send } = heldStdin(place);
  await stdin.settled();
  const before = await writersOf(place);
  for (const pid of before) process.kill(pid, "SIGKILL");
  await until(async () => {
    const now = await writersOf(place);
    expect(now).toHaveLength(1);
    expect(now).not.toEqual(before);
  });
  send("on we go");
  expect(await stdin.settled()).toEqual({ ok: true });
  expect(readFileSync(inLog(place.folder), "utf8")).toBe("on we go\n");
});

test("a full disk is told once, and the bytes go out when there is room again", async () => {
  const place = aPlace();
  await mkdir(place.folder);
  await symlink("/dev/full", inLog(place.folder));
  const { stdin, failures, send } = heldStdin(place, Buffer.from("one\n"));
  const failure = { why: "disk_full", message: expect.stringContaining("No space left on device") };
  expect(await stdin.settled()).toEqual({ ok: false, failure });
  expect(failures).toEqual([failure]);

  await rm(inLog(place.folder));
  await writeFile(inLog(place.folder), "");
  send("two");
  expect(await stdin.settled()).toEqual({ ok: true });
  expect(readFileSync(inLog(place.folder), "utf8")).toBe("one\ntwo\n");
});

test("a folder that is gone is told", async () => {
  const place = aPlace();
  const { stdin, failures } = heldStdin(place, Buffer.from("one\n"));
  const failure = { why: "folder_gone", message: `${inLog(place.folder)} is gone` };
  expect(await stdin.settled()).toEqual({ ok: false, failure });
  expect(failures).toEqual([failure]);
});

test("a folder that goes away under an open stdin is told", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const { stdin, failures, send } = heldStdin(place);
  await stdin.settled();
  await rm(place.folder, { recursive: true });
  send("too late");
  expect(await stdin.settled()).toMatchObject({ ok: false, failure: { why: "folder_gone" } });
  expect(failures).toMatchObject([{ why: "folder_gone" }]);
});

test("bytes in the log that the source never gave are told", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const { stdin, failures, send } = heldStdin(place);
  await stdin.settled();
  await writeFile(inLog(place.folder), "somebody else was here\n", { flag: "a" });
  send("one");
  expect(await stdin.settled()).toMatchObject({ ok: false, failure: { why: "foreign_bytes" } });
  expect(failures).toHaveLength(1);
});

test("closing writes what is under way if asked, and leaves no writer", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const bytes = everyByte(2_000_000);
  const { stdin } = heldStdin(place, bytes);
  await stdin.close({ flushMs: 20_000 });
  expect(readFileSync(inLog(place.folder)).equals(bytes)).toBe(true);
  expect(await writersOf(place)).toEqual([]);
  expect(await stdin.settled()).toEqual({ ok: false, failure: "closed" });
});

test("closing in the midst of opening leaves no writer either", async () => {
  const place = aPlace();
  await createFolder(place.folder);
  const { stdin, failures } = heldStdin(place, everyByte(1_000_000));
  await stdin.close();
  expect(await writersOf(place)).toEqual([]);
  expect(failures).toEqual([]);
});

function everyByte(length: number): Buffer {
  const pattern = Buffer.concat([
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    Buffer.from("äöü€😀\r\n\u0003\u0004\u0011\u0013\u001a\u001c"),
  ]);
  return Buffer.alloc(length, pattern);
}

async function writersOf({ instance }: { instance: string }): Promise<number[]> {
  return (await scanMarked(instance)).filter(({ stdin }) => stdin !== undefined).map(({ pid }) => pid);
}
