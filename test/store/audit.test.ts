import { expect, test } from "vitest";
import type { RequestId } from "../../src/core/ids.ts";
import type { AuditEntry } from "../../src/store/audit.ts";
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
  expect(after.newest(10)).toEqual([whole, short]);
  expect(after.newest(1)).toEqual([whole]);
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
