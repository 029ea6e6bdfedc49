import { expect, test } from "vitest";
import { createRegistry } from "../../src/claude/registry.ts";
import type { Stdin } from "../../src/claude/stdin.ts";
import type { RequestId, SessionId } from "../../src/core/ids.ts";

const session = "session-1" as SessionId;
const request = "r1" as RequestId;

/** The way into a process, which counts how often it was woken. */
function aStdin(): Stdin & { woken: () => number } {
  let woken = 0;
  return {
    wake() {
      woken += 1;
    },
    settled: async () => ({ ok: true }),
    close: async () => {},
    woken: () => woken,
  };
}

test("an answer wakes the way into the session that asked, and no other", () => {
  const registry = createRegistry();
  const [asking, other] = [aStdin(), aStdin()];
  registry.attach(session, asking);
  registry.attach("session-2" as SessionId, other);
  registry.asked(request, session);
  expect(registry.sessionOf(request)).toBe(session);
  expect(registry.stdinOf(session)).toBe(asking);
  expect(registry.deliver(request)).toBe(true);
  expect([asking.woken(), other.woken()]).toEqual([1, 0]);
});

test("an answer to a request nobody knows, or that is over, reaches nobody", () => {
  const registry = createRegistry();
  const stdin = aStdin();
  registry.attach(session, stdin);
  expect(registry.deliver(request)).toBe(false);
  registry.asked(request, session);
  registry.over(request);
  expect(registry.deliver(request)).toBe(false);
  expect(registry.sessionOf(request)).toBeUndefined();
  expect(stdin.woken()).toBe(0);
});

test("an answer for a session that is not live waits for the next process", () => {
  const registry = createRegistry();
  const stdin = aStdin();
  registry.asked(request, session);
  expect(registry.deliver(request)).toBe(false);
  registry.attach(session, stdin);
  expect(registry.deliver(request)).toBe(true);
});

test("a process that ended late does not take the way away from the one after it", () => {
  const registry = createRegistry();
  const [old, young] = [aStdin(), aStdin()];
  registry.attach(session, old);
  registry.attach(session, young);
  registry.detach(session, old);
  expect(registry.stdinOf(session)).toBe(young);
  registry.detach(session, young);
  expect(registry.stdinOf(session)).toBeUndefined();
});

test("what is over is forgotten, so that the maps do not grow for ever", () => {
  const registry = createRegistry();
  const stdin = aStdin();
  registry.attach(session, stdin);
  registry.asked(request, session);
  expect(registry.size()).toEqual({ sessions: 1, requests: 1 });
  registry.over(request);
  registry.detach(session, stdin);
  expect(registry.size()).toEqual({ sessions: 0, requests: 0 });
});
