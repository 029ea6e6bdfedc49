import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeAsk } from "../../src/app/approvals.ts";
import { requestTitle, requestView } from "../../src/app/requests.ts";
import { handleTap } from "../../src/app/taps.ts";
import type { Ask } from "../../src/core/agent-event.ts";
import type { RequestId, ThreadId } from "../../src/core/ids.ts";
import type { Tap } from "../../src/core/view.ts";
import type { Request } from "../../src/store/requests.ts";
import { aDesk, noon } from "./a-desk.ts";

const ann = { id: 111, name: "Ann" };
const bob = { id: 222, name: "Bob" };
const sessions = { end: () => {}, endWhenUnused: () => {}, workOf: () => undefined };
const secret = "correct-horse-battery-1234";
const withSecret = { tool: "Bash", input: { command: `DB_PASSWORD=${secret} npm start` } };

/** A desk with one request, and what can be done with it. */
function asked(fields: (root: string) => Partial<Ask>) {
  const stage = aDesk({ approvers: new Map([[-100, [ann.id]]]) });
  const { desk, session, processId, nextAsk, threadId } = stage;
  const root = join(stage.root, "web");
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  takeAsk(desk, session(), processId, nextAsk(fields(root)));
  const request = (store = desk.store): Request => {
    const found = store.requests.byWire(processId, "wire-1");
    if (found === undefined) throw new Error("There is no request");
    return found;
  };
  const tap = (verb: "allow" | "reveal", by = ann, thread = threadId) => {
    const pressed: Tap = { verb, requestId: request().id };
    return handleTap(desk, sessions, {
      tap: pressed,
      thread: desk.store.threads.get(thread),
      by,
      messageId: 1,
    });
  };
  const openPrivateChat = (chatId: number, id = `private-${chatId}` as ThreadId) =>
    desk.store.threads.add({ id, chatId, topicId: 0, chatKind: "private", enabled: true }, noon);
  return { ...stage, project: root, request, tap, openPrivateChat };
}

const anEdit =
  (fields: Partial<Ask> = {}) =>
  (project: string) => ({
    tool: "Edit",
    input: { file_path: join(project, "a.txt"), old_string: "two", new_string: "2" },
    ...fields,
  });

test("the difference is that of the moment of asking, whatever happens to the file, the card and the bot", () => {
  const { desk, request, tap, project, restart } = asked(anEdit({ defaultToNo: true }));
  const shown = requestView(desk, request());
  expect(shown).toMatchObject({
    tool: {
      title: "a.txt",
      change: { added: 1, removed: 1 },
      body: [{ text: "@@ -1,2 +1,2 @@\n one\n-two\n+2" }],
    },
  });
  writeFileSync(join(project, "a.txt"), "gone\n");
  expect(tap("allow")).toBe("Tap once more to allow it");
  const again = restart();
  expect(requestView(again, request(again.store))).toEqual({ ...shown, care: "armed" });
});

test("where a path led is remembered too", () => {
  const { desk, request } = asked(() => ({
    tool: "Write",
    input: { file_path: "/etc/hosts", content: "x" },
  }));
  expect(requestView(desk, request())).toMatchObject({
    dangers: expect.arrayContaining([{ why: "writes outside the project", what: "/etc/hosts" }]),
  });
});

test("our own files are not read for a card, even where a person has to be asked", () => {
  const { desk, request } = asked((project) => ({
    tool: "Write",
    input: { file_path: join(project, "../signoff.toml"), content: "x" },
    matchedAskRule: true,
  }));
  expect(request().detail).toEqual({ kind: "tool", armed: false, reach: "own" });
  expect(requestView(desk, request())).toMatchObject({ tool: { body: [{ text: "x" }] } });
});

test("a description is said once, and not when it only repeats the command or the address", () => {
  const described = (fields: Partial<Ask>) => {
    const { desk, request } = asked(() => fields);
    const view = requestView(desk, request());
    return view.kind === "request" ? view.description : "no request";
  };
  const command = "ls -a\npwd";
  expect(described({ tool: "Bash", input: { command }, description: command })).toBeUndefined();
  const input = { command, description: "Look around" };
  expect(described({ tool: "Bash", input, description: command })).toBe("Look around");
  const url = "https://example.com/a";
  expect(described({ tool: "WebFetch", input: { url, prompt: "x" }, description: url })).toBeUndefined();
});

test("what a card hides is sent to the private chat of the one who taps, and noted", () => {
  const { desk, request, tap, deliver, openPrivateChat } = asked(() => withSecret);
  expect(JSON.stringify(requestView(desk, request()))).not.toContain(secret);
  expect(requestTitle(desk, request())).toBe("Bash · DB_PASSWORD=••••1234 npm start");
  deliver();
  expect(tap("reveal")).toBe("Start a private chat with me first.");
  const chat = openPrivateChat(ann.id);
  expect(tap("reveal")).toBe("Sent to your private chat with me");
  const [row] = desk.store.outbox.candidates(noon);
  const sent = row && desk.store.outbox.claim(row.id, noon);
  expect(sent).toMatchObject({ op: "document", threadId: chat.id });
  expect(sent?.payload).toContain(secret);
  expect(desk.store.audit.newest(5)).toMatchObject([
    { what: "reveal", who: "Ann", whoId: 111, subject: "Bash · DB_PASSWORD=••••1234 npm start" },
  ]);
});

test("it is sent to nobody else: not to who may not answer, and not from another chat", () => {
  const { desk, tap, openPrivateChat, deliver } = asked(() => withSecret);
  openPrivateChat(bob.id);
  const own = openPrivateChat(ann.id);
  deliver();
  expect(tap("reveal", bob)).toBe("Only 111 can answer here.");
  expect(tap("reveal", ann, own.id)).toBe("This request belongs to another chat.");
  expect(desk.store.outbox.candidates(noon)).toEqual([]);
  expect(desk.store.audit.newest(5)).toEqual([]);
});

test("a request that is not known any more reveals nothing", () => {
  const { desk, threadId } = asked(() => withSecret);
  const tap: Tap = { verb: "reveal", requestId: "gone" as RequestId };
  const thread = desk.store.threads.get(threadId);
  expect(handleTap(desk, sessions, { tap, thread, by: ann, messageId: 1 })).toBe(
    "I do not know this request any more.",
  );
});
