import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Config } from "../../src/app/config.ts";
import type { Approvals, Approvers } from "../../src/app/config-approvals.ts";
import type { Desk } from "../../src/app/desk.ts";
import { createLog } from "../../src/app/log.ts";
import { createPresenter } from "../../src/app/present.ts";
import { createRegistry } from "../../src/claude/registry.ts";
import type { Ask } from "../../src/core/agent-event.ts";
import type { ProcessId, RequestId, SessionId, ThreadId } from "../../src/core/ids.ts";
import { openStore } from "../../src/store/store.ts";
import { anAsk } from "../core/an-ask.ts";

/** When every desk's clock begins. */
export const noon = 1_700_000_000_000;

/** A message as its reader sees it. */
export type Said = { text: string; messageId: number; replyTo?: number };

const noRules = { own: [], handed: { allow: [], deny: [], ask: [] } };

/**
 * A desk on a real store, with a clock that only the test moves, and a session with a process in a group. Nothing is
 * sent anywhere: what would be said is rows.
 */
export function aDesk(given: { approvals?: Partial<Approvals>; approvers?: Approvers } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "signoff-desk-")));
  const project = { name: "web", path: join(root, "web"), trust: false, rules: noRules };
  mkdirSync(project.path);
  const file = join(root, "signoff.db");
  let store = openStore(file);
  onTestFinished(() => {
    store.close();
    rmSync(root, { recursive: true });
  });
  let now = noon;
  const lines: string[] = [];
  const hooked: RequestId[] = [];
  const config: Config = {
    file: join(root, "signoff.toml"),
    stateDir: join(root, "state"),
    defaultProject: project,
    projects: new Map([["web", project]]),
    telegram: {
      token: "1:a",
      apiRoot: "http://127.0.0.1",
      allowedUsers: [111, 222],
      approvers: given.approvers ?? new Map(),
    },
    claude: {
      command: ["claude"],
      permissionMode: "default",
      allowedTools: [],
      dangerouslySkipPermissions: false,
      useApiBilling: false,
      idleMinutes: 15,
      env: {},
    },
    approvals: { autoApprove: [], rules: noRules, ...given.approvals },
    warnings: [],
  };
  const clock = () => now;
  const openDesk = (): Desk => ({
    config,
    store,
    log: createLog({ write: (line) => lines.push(line), now: () => new Date(now) }),
    clock,
    present: createPresenter({ store, clock, redact: (text) => text, wakeOutbox: () => {} }),
    registry: createRegistry(),
    wake: {
      session: () => {},
      answer: () => {},
      progress: () => {},
      hook: (requestId) => hooked.push(requestId),
    },
  });

  const threadId = "group" as ThreadId;
  const sessionId = "session-1" as SessionId;
  const processId = "process-1" as ProcessId;
  store.threads.add({ id: threadId, chatId: -100, topicId: 0, chatKind: "group", enabled: true }, now);
  store.sessions.add({ id: sessionId, threadId, project: "web", claudeId: "claude-1" }, now);
  store.threads.bind(threadId, sessionId);
  store.processes.add(
    { id: processId, sessionId, folder: join(root, "process-1"), opened: "fresh", trusted: false },
    now,
  );
  let asked = 0;
  const said: Said[] = [];

  return {
    root,
    config,
    threadId,
    sessionId,
    processId,
    /** The requests that were handed to the hook. */
    hooked,
    log: () => lines.join("\n"),
    desk: openDesk(),
    session: () => store.sessions.get(sessionId),
    nextAsk: (fields: Partial<Ask> = {}): Ask => {
      asked += 1;
      return anAsk({ wireId: `wire-${asked}`, ...fields });
    },
    wait: (minutes: number): void => {
      now += minutes * 60_000;
    },
    /** Telegram has answered a poll, and brought nothing. */
    hearNothing: (): void => void store.inbox.record([], now),
    /** What was said so far, the oldest first; an edit stands for itself. */
    said: (): Said[] => said,
    /** Brings all that is queued to Telegram, which gives each message the next number. */
    deliver: (): Said[] => {
      for (
        let [row] = store.outbox.candidates(now);
        row !== undefined;
        [row] = store.outbox.candidates(now)
      ) {
        const claimed = store.outbox.claim(row.id, now);
        if (claimed === undefined) continue;
        const { text, replyTo } = JSON.parse(claimed.payload) as Omit<Said, "messageId">;
        const messageId = claimed.messageId ?? said.length + 1;
        said.push({ text, messageId, ...(replyTo === undefined ? {} : { replyTo }) });
        store.outbox.sent(claimed.id, now, messageId);
      }
      return said;
    },
    /** What was written to Claude's process. */
    written: (): string => {
      let text = "";
      for (let next = store.processes.bytesFrom(processId, 0); next !== undefined; ) {
        text += next.toString("utf8");
        next = store.processes.bytesFrom(processId, Buffer.byteLength(text));
      }
      return text;
    },
    /** What a bot finds that starts anew. */
    restart: (): Desk => {
      store.close();
      store = openStore(file);
      return openDesk();
    },
  };
}
