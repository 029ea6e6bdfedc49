import { rm } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Exit } from "../../src/claude/exit.ts";
import { onExit } from "../../src/claude/exit.ts";
import { readExit, removeFolder } from "../../src/claude/process-folder.ts";
import type { ProcessIdentity } from "../../src/claude/process-identity.ts";
import { aPlace, fakeClaude, heldStdin, launched, until } from "../support/held-process.ts";

test("the end of a running process is reported once, with its code", async () => {
  const place = aPlace();
  const ends = watched(place.folder, await launched(place, fakeClaude));
  heldStdin(place).send({ do: "exit", code: 5 });
  await until(() => expect(ends).toHaveLength(1));
  expect(ends).toEqual([{ how: "recorded", code: 5 }]);
});

test("a process that ended before the watch is reported as well", async () => {
  const place = aPlace();
  const identity = await launched(place, ["false"]);
  await until(async () => expect(await readExit(place.folder)).toBe(1));
  const ends = watched(place.folder, identity);
  await until(() => expect(ends).toEqual([{ how: "recorded", code: 1 }]));
});

test("a process killed together with its wrapper is reported as vanished", async () => {
  const place = aPlace();
  const identity = await launched(place, fakeClaude);
  const ends = watched(place.folder, identity);
  process.kill(-identity.pid, "SIGKILL");
  await until(() => expect(ends).toEqual([{ how: "vanished" }]));
});

test("a process whose folder was taken away is reported when it ends", async () => {
  const place = aPlace();
  const identity = await launched(place, fakeClaude);
  const ends = watched(place.folder, identity);
  await rm(place.folder, { recursive: true });
  process.kill(-identity.pid, "SIGTERM");
  await until(() => expect(ends).toEqual([{ how: "vanished" }]));
});

test("a folder is removed with all it holds, and removing it again is no error", async () => {
  const place = aPlace();
  await launched(place, ["true"]);
  await until(async () => expect(await readExit(place.folder)).toBe(0));
  await removeFolder(place.folder);
  await removeFolder(place.folder);
  expect(await readExit(place.folder)).toBeUndefined();
});

function watched(folder: string, { pid, startTime }: ProcessIdentity): Exit[] {
  const ends: Exit[] = [];
  const onError = (error: unknown) => {
    throw error;
  };
  onTestFinished(
    onExit({ folder, pid, startTime, onEnded: (exit) => ends.push(exit), onError, pollMs: 100 }),
  );
  return ends;
}
