import { expect, test } from "vitest";
import type { ProcessId, SessionId } from "../../src/core/ids.ts";
import { aSession, process1, process2 } from "./a-session.ts";

const lines = ['{"a":1}\n', '{"grüße":"👋🏽 дом"}\n', `${"漢".repeat(500)}\n`];

test("a process is a row before it runs, and has no pid yet", () => {
  const { processes, addProcess, session, restart } = aSession();
  const added = addProcess(process1);
  expect(added).toEqual({
    id: process1,
    sessionId: session,
    folder: "/state/process-1",
    state: "starting",
    opened: "fresh",
    trusted: false,
    outOffset: 0,
    startedAt: 10,
  });
  expect(processes.get(process1)).toEqual(added);
  expect(restart().processes.live()).toEqual([added]);
});

test("a process that is not there is a surprise", () => {
  const { processes } = aSession();
  expect(() => processes.get("nobody" as ProcessId)).toThrow("there is no process nobody");
  expect(() => processes.append("nobody" as ProcessId, "{}\n")).toThrow("there is no process nobody");
});

test("two live processes of a session cannot even be written, whatever the first is doing", () => {
  const { processes, addProcess } = aSession();
  addProcess(process1);
  expect(() => addProcess(process2)).toThrow("UNIQUE");
  processes.started(process1, { pid: 7, startTime: "70" });
  expect(() => addProcess(process2)).toThrow("UNIQUE");
  processes.ending(process1, "wanted");
  expect(() => addProcess(process2)).toThrow("UNIQUE");
  processes.ended(process1, 0, 20);
  expect(addProcess(process2).state).toBe("starting");
});

test("two sessions may each have a live process", () => {
  const { processes, addProcess, addSession, session } = aSession();
  const other = addSession("session-2");
  addProcess(process1);
  addProcess(process2, other);
  expect(processes.live().map(({ id }) => id)).toEqual([process1, process2]);
  expect(processes.liveOf(session)?.id).toBe(process1);
  expect(processes.liveOf(other)?.id).toBe(process2);
  expect(processes.liveOf("nobody" as SessionId)).toBeUndefined();
});

test("a process goes from starting to running to ending to ended, and never back", () => {
  const { processes, addProcess, session } = aSession();
  addProcess(process1);
  const state = () => processes.get(process1).state;
  processes.started(process1, { pid: 7, startTime: "70" });
  expect(processes.get(process1)).toMatchObject({ state: "running", os: { pid: 7, startTime: "70" } });
  processes.ending(process1, "wanted");
  expect(state()).toBe("ending");
  processes.started(process1, { pid: 7, startTime: "70" });
  expect(state()).toBe("ending");
  processes.ended(process1, undefined, 20);
  processes.ending(process1, "wanted");
  processes.started(process1, { pid: 7, startTime: "70" });
  expect(state()).toBe("ended");
  expect(processes.live()).toEqual([]);
  expect(processes.liveOf(session)).toBeUndefined();
});

test("how far the output was read is there after a restart", () => {
  const { processes, addProcess, restart } = aSession();
  addProcess(process1);
  processes.readTo(process1, 4711);
  expect(restart().processes.get(process1).outOffset).toBe(4711);
});

test("positions count bytes, not characters", () => {
  const { processes, addProcess, db } = aSession();
  addProcess(process1);
  for (const line of lines) processes.append(process1, line);
  const lengths = lines.map((line) => Buffer.byteLength(line));
  expect(db.prepare("SELECT start FROM to_send ORDER BY start").pluck().all()).toEqual([
    0,
    lengths[0],
    (lengths[0] ?? 0) + (lengths[1] ?? 0),
  ]);
});

test("from every offset the bytes of the log are found, up to the end of their line", () => {
  const { processes, addProcess } = aSession();
  addProcess(process1);
  for (const line of lines) processes.append(process1, line);
  const log = Buffer.from(lines.join(""));
  for (let offset = 0; offset < log.length; offset += 1) {
    const rest = log.subarray(offset, log.indexOf("\n", offset) + 1);
    if (!processes.bytesFrom(process1, offset)?.equals(rest)) expect.fail(`wrong bytes at ${offset}`);
  }
  expect(processes.bytesFrom(process1, log.length)).toBeUndefined();
  expect(processes.bytesFrom(process1, log.length + 1)).toBeUndefined();
});

test("there is nothing to send before the first line, and a later one is found where it begins", () => {
  const { processes, addProcess } = aSession();
  addProcess(process1);
  expect(processes.bytesFrom(process1, 0)).toBeUndefined();
  processes.append(process1, "one\n");
  expect(processes.bytesFrom(process1, 4)).toBeUndefined();
  processes.append(process1, "two\n");
  expect(processes.bytesFrom(process1, 4)?.toString()).toBe("two\n");
});

test("each process has a log of its own, which is there after a restart", () => {
  const { processes, addProcess, addSession, restart } = aSession();
  addProcess(process1);
  addProcess(process2, addSession("session-2"));
  processes.append(process1, "one\n");
  processes.append(process2, "two\n");
  const after = restart().processes;
  after.append(process1, "three\n");
  expect(after.bytesFrom(process1, 4)?.toString()).toBe("three\n");
  expect(after.bytesFrom(process2, 0)?.toString()).toBe("two\n");
});

test("a line that could not be counted is not there at all", () => {
  const { processes, addProcess, db } = aSession();
  addProcess(process1);
  db.exec(
    "CREATE TEMP TRIGGER full BEFORE UPDATE OF in_bytes ON processes BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  expect(() => processes.append(process1, "one\n")).toThrow("disk full");
  db.exec("DROP TRIGGER full");
  processes.append(process1, "two\n");
  expect(processes.bytesFrom(process1, 0)?.toString()).toBe("two\n");
});

test("what was to be sent is forgotten when the process has ended, the length of its log is not", () => {
  const { processes, addProcess, db } = aSession();
  addProcess(process1);
  processes.append(process1, "one\n");
  processes.ended(process1, 0, 20);
  expect(processes.bytesFrom(process1, 0)).toBeUndefined();
  expect(db.prepare("SELECT count(*) FROM to_send").pluck().get()).toBe(0);
});

test("the folder of an ended process is to be removed, once, and never that of a live one", () => {
  const { processes, addProcess, restart } = aSession();
  addProcess(process1);
  expect(processes.foldersToRemove()).toEqual([]);
  processes.ended(process1, 0, 20);
  addProcess(process2);
  expect(processes.foldersToRemove()).toEqual([{ id: process1, folder: "/state/process-1" }]);
  processes.folderRemoved(process1);
  expect(restart().processes.foldersToRemove()).toEqual([]);
});
