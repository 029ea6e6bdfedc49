import { expect, test } from "vitest";
import type { RequestId } from "../../src/core/ids.ts";
import type { AuditEntry, AuditFilter } from "../../src/store/audit.ts";
import { aSession } from "./a-session.ts";

const short: AuditEntry = { at: 1, who: "policy", what: "allow" };

test("the newest entries come first, whole, also after a restart", () => {
  const { audit, home, session, restart } = aSession();
  const whole: AuditEntry = {
    at: 2,
    who: "Ann",
    whoId: 111,
    what: "deny",
    tool: "Bash",
    subject: "Bash · rm -r build",
    rule: "own folders",
    threadId: home,
    sessionId: session,
    requestId: "r1" as RequestId,
  };
  audit.add(short);
  audit.add(whole);
  const after = restart().audit;
  expect(after.newest(10)).toEqual([{ ...whole, project: "web" }, short]);
  expect(after.newest(1)).toEqual([{ ...whole, project: "web" }]);
});

test("entries are found by chat, by project and by tool, however its name is written", () => {
  const { audit, thread, home, session, addSession } = aSession();
  const group = thread("group", -100);
  const api = addSession("session-2", "api");
  audit.add({ ...short, tool: "Bash", subject: "1", threadId: home, sessionId: session });
  audit.add({ ...short, tool: "Edit", subject: "2", threadId: home, sessionId: api });
  audit.add({ ...short, tool: "Bash", subject: "3", threadId: group, sessionId: api });
  audit.add({ ...short, subject: "4" });
  const found = (filter: Partial<AuditFilter>) => audit.newest(10, filter).map(({ subject }) => subject);
  expect(found({})).toEqual(["4", "3", "2", "1"]);
  expect(found({ chatId: -100 })).toEqual(["3"]);
  expect(found({ project: "api" })).toEqual(["3", "2"]);
  expect(found({ tool: "bash" })).toEqual(["3", "1"]);
  expect(found({ chatId: 1, tool: "Bash" })).toEqual(["1"]);
});

test("a secret in a subject or in a rule is never written down", () => {
  const { audit, db } = aSession();
  const secret = "hunter2-hunter3";
  audit.add({ ...short, subject: `Bash · PASSWORD=${secret} ./run`, rule: `Bash(PASSWORD=${secret} *)` });
  expect(JSON.stringify(db.prepare("SELECT * FROM audit").all())).not.toContain(secret);
  expect(audit.newest(1)[0]?.subject).toContain("./run");
});

test("a person is known by the name they last had", () => {
  const { audit } = aSession();
  audit.add({ ...short, who: "Ann", whoId: 111 });
  audit.add({ ...short, who: "Anna", whoId: 111 });
  audit.add({ ...short, who: "hook" });
  expect([audit.nameOf(111), audit.nameOf(222)]).toEqual(["Anna", undefined]);
});

test("the order is that of writing, even when the clock was set back", () => {
  const { audit } = aSession();
  audit.add({ ...short, at: 100 });
  audit.add({ ...short, at: 50 });
  expect(audit.newest(2).map(({ at }) => at)).toEqual([50, 100]);
});

test.each([
  "UPDATE audit SET who = 'nobody'",
  "DELETE FROM audit",
  "DELETE FROM audit WHERE at = 1",
  "INSERT OR REPLACE INTO audit (id, at, who, what) SELECT id, at, 'nobody', what FROM audit",
  "REPLACE INTO audit (id, at, who, what) VALUES (1, 1, 'nobody', 'allow')",
  "INSERT INTO audit (id, at, who, what) VALUES (1, 1, 'x', 'y') ON CONFLICT (id) DO UPDATE SET who = 'nobody'",
])("the database itself refuses: %s", (sql) => {
  const { audit, db } = aSession();
  audit.add(short);
  audit.add({ ...short, at: 2 });
  expect(() => db.exec(sql)).toThrow("audit is append only");
  expect(audit.newest(10)).toEqual([{ ...short, at: 2 }, short]);
});
