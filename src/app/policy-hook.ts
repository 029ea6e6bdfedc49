import { dirname } from "node:path";
import { markEnv } from "../claude/marked.ts";
import { claudeEnv } from "../claude/options.ts";
import type { JsonObject } from "../core/agent-event.ts";
import { denial } from "../core/denial.ts";
import type { RequestId } from "../core/ids.ts";
import type { Request } from "../store/requests.ts";
import { type Decider, decide, ownPaths } from "./approvals.ts";
import type { Desk } from "./desk.ts";
import { askProgram, type ProgramAnswer } from "./policy-program.ts";
import { lookAt } from "./reach.ts";
import { isShown, showRequest } from "./requests.ts";
import type { Tasks } from "./tasks.ts";

/** The mark of what the program starts: it belongs to no session, and so a later start ends what is left of it. */
const MARK = "policy-hook";
const HOOK: Decider = { name: "hook" };
const ASK: ProgramAnswer = { decision: "ask" };
const LONGEST_REASON = 1_000;

/**
 * Puts requests to the owner's program before a person is asked. The request is a waiting row all the while: whatever
 * ends it meanwhile wins, and after a crash it is put to the program again.
 */
export function createPolicyHook(
  desk: Desk,
  deps: { instance: string; parentEnv: NodeJS.ProcessEnv; tasks: Tasks },
) {
  const { program } = desk.config.approvals;
  const stopping = new AbortController();
  const asking = new Set<RequestId>();

  async function put(requestId: RequestId): Promise<void> {
    const request = desk.store.requests.get(requestId);
    if (request?.state !== "waiting" || isShown(request)) return;
    const answer =
      program === undefined
        ? ASK
        : await ask(program, request).catch((error: unknown) => failed(request, error));
    // The row stays as it is: the next start asks again.
    if (answer === "stopped") return;
    desk.store.transaction(() => settle(desk, requestId, answer));
  }

  async function ask(
    { command, seconds }: NonNullable<typeof program>,
    request: Request,
  ): Promise<ProgramAnswer | "stopped"> {
    const run = await askProgram({
      command,
      seconds,
      question: questionAbout(desk, request),
      // Not the project's folder: a program may take files for its own that lie where it is started.
      cwd: dirname(desk.config.file),
      env: {
        ...claudeEnv(deps.parentEnv, desk.config.claude),
        ...markEnv({ instance: deps.instance, session: MARK }),
      },
      signal: stopping.signal,
    });
    switch (run.kind) {
      case "answered":
        return run.answer;
      case "stopped":
        return "stopped";
      case "failed":
        return failed(request, run.why);
    }
  }

  /** Whatever goes wrong, a person is asked. */
  function failed({ id, ask: { tool } }: Request, why: unknown): ProgramAnswer {
    desk.log.warn("hook.failed", { request: id, tool, why });
    return ASK;
  }

  return {
    /** A request waits without a card. It is looked at after the transaction that runs now. */
    wake(requestId: RequestId): void {
      if (asking.has(requestId) || stopping.signal.aborted) return;
      asking.add(requestId);
      setImmediate(() =>
        deps.tasks.run("hook.put", () => put(requestId).finally(() => asking.delete(requestId))),
      );
    },
    /** Ends the programs that run. */
    stop(): void {
      stopping.abort();
    },
  };
}

/** What the program reads: the request as Claude made it, and what we know about it. */
function questionAbout(desk: Desk, { ask, sessionId }: Request): JsonObject {
  const session = desk.store.sessions.get(sessionId);
  const project = desk.config.projects.get(session.project);
  const path = project?.path ?? "/";
  const { reach, paths } = lookAt(ask, path, ownPaths(desk));
  return {
    tool: ask.tool,
    input: ask.input,
    project: session.project,
    path,
    session: session.claudeId,
    agent: ask.agentId === undefined ? null : (ask.agentName ?? ask.agentId),
    description: ask.description ?? null,
    reason: ask.reason ?? null,
    reach: project === undefined ? "outside" : reach,
    paths: paths.map(({ written, real }) => ({ written, real })),
  };
}

function settle(desk: Desk, requestId: RequestId, answer: ProgramAnswer): void {
  const request = desk.store.requests.get(requestId);
  if (request?.state !== "waiting") return;
  const at = desk.clock();
  const reason = answer.reason?.trim().slice(0, LONGEST_REASON) || undefined;
  const rule = reason === undefined ? {} : { rule: reason };
  switch (answer.decision) {
    case "allow":
      decide(desk, request, HOOK, {
        outcome: { kind: "allowed", by: HOOK.name, at },
        what: "allow",
        answer: { kind: "allow", input: request.ask.input },
        ...rule,
      });
      return;
    case "deny":
      decide(desk, request, HOOK, {
        outcome: { kind: "denied", by: HOOK.name, at, ...(reason === undefined ? {} : { reason }) },
        what: "deny",
        answer: { kind: "deny", message: denial(reason ?? NO_REASON) },
        ...rule,
      });
      return;
    case "ask":
      if (!isShown(request)) showRequest(desk, request);
      desk.wake.progress(request.sessionId);
      return;
  }
}

const NO_REASON = "Their policy forbids it. Do not try it in another way; go on without it, or ask them.";
