import type { IncomingMessage } from "node:http";
import type { Fault } from "./faults.ts";
import type { Flood } from "./flood.ts";
import type { Method } from "./method.ts";
import { deleting } from "./methods/deleting.ts";
import { describing } from "./methods/describing.ts";
import { editing } from "./methods/editing.ts";
import { profile } from "./methods/profile.ts";
import { reacting } from "./methods/reacting.ts";
import { sending } from "./methods/sending.ts";
import { session } from "./methods/session.ts";
import { topics } from "./methods/topics.ts";
import { updating } from "./methods/updating.ts";
import type { Params } from "./params.ts";
import { badRequest, Refusal, tooManyRequests } from "./refusal.ts";
import { readParams } from "./request-body.ts";
import type { Reply } from "./server.ts";
import type { World } from "./world.ts";

/** What happened to one call, in the order they came. `answer` is missing while it is under way. */
export type LoggedCall = {
  method: string;
  params: Record<string, unknown>;
  at: number;
  answer?:
    | { ok: true; result: unknown }
    | { ok: false; error_code: number; description: string }
    | Fault["kind"];
};

/** What a dispatcher needs beside the world. */
export type Desk = {
  token: string;
  world: World;
  flood: Flood;
  strike: (method: string, params: Record<string, unknown>) => Fault | undefined;
  log: LoggedCall[];
};

/** Answers one HTTP request as the Bot API would. */
export async function dispatch(desk: Desk, request: IncomingMessage, gone: AbortSignal): Promise<Reply> {
  try {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const path = decodeURIComponent(url.pathname);
    if (path.startsWith("/file/")) return download(desk, path);
    const [, token, method] = /^\/bot([^/]*)\/(?:test\/)?(.*)$/s.exec(path) ?? [];
    const params = await readParams(request, url.searchParams);
    if (token === undefined || method === undefined) throw new Refusal(404, "Not Found");
    assertToken(desk, token);
    return await call(desk, method, params, gone);
  } catch (error) {
    return refused(error);
  }
}

const METHODS: ReadonlyMap<string, { name: string; run: Method }> = new Map(
  [sending, editing, deleting, reacting, updating, describing, topics, profile, session].flatMap((table) =>
    Object.entries(table).map(([name, run]) => [name.toLowerCase(), { name, run }] as const),
  ),
);

async function call(desk: Desk, given: string, params: Params, gone: AbortSignal): Promise<Reply> {
  const { world } = desk;
  const method = METHODS.get(given.toLowerCase());
  const entry: LoggedCall = { method: method?.name ?? given, params: params.meant(), at: world.now() };
  desk.log.push(entry);
  world.changed();
  try {
    const fault = desk.strike(given, entry.params);
    if (fault !== undefined) {
      const reply = await suffer(fault, gone);
      if (reply !== undefined) return noted(entry, fault.kind, reply);
    }
    if (method === undefined) throw new Refusal(404, "Not Found: method not found");
    assertSession(world);
    const wait = desk.flood.retryAfter(given.toLowerCase(), params.integer("chat_id"));
    if (wait !== undefined) throw tooManyRequests(wait);
    const result = await method.run({ world, params, gone });
    if (fault?.kind === "reset_after") return noted(entry, fault.kind, { kind: "reset" });
    entry.answer = { ok: true, result: structuredClone(result) };
    return { kind: "json", status: 200, body: { ok: true, result } };
  } catch (error) {
    if (error instanceof Refusal) {
      entry.answer = { ok: false, error_code: error.code, description: error.message };
    }
    throw error;
  } finally {
    world.changed();
  }
}

/** What a fault does in place of the call; nothing when the call goes on all the same. */
async function suffer(fault: Fault, gone: AbortSignal): Promise<Reply | undefined> {
  switch (fault.kind) {
    case "429":
      throw tooManyRequests(fault.retryAfter ?? 1);
    case "500":
      throw new Refusal(500, "Internal Server Error: restart");
    case "error":
      throw new Refusal(fault.code, fault.description);
    case "502html":
      return { kind: "html", status: 502, body: BAD_GATEWAY };
    case "reset_before":
      return { kind: "reset" };
    case "hang":
      await leaving(gone);
      return { kind: "reset" };
    case "slow":
      await leaving(gone, fault.ms);
      return undefined;
    case "reset_after":
      return undefined;
  }
}

/** Waits until the client hangs up, or for so many milliseconds. */
function leaving(gone: AbortSignal, ms?: number): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve();
    const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
    gone.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function noted(entry: LoggedCall, kind: Fault["kind"], reply: Reply): Reply {
  entry.answer = kind;
  return reply;
}

function assertToken(desk: Desk, token: string): void {
  if (!token.includes(":") || token.startsWith("0") || token.length > 80) {
    throw new Refusal(401, "Unauthorized: invalid token specified");
  }
  if (token !== desk.token) throw new Refusal(401, "Unauthorized");
}

function assertSession({ session: { loggedOut, closed } }: World): void {
  if (loggedOut) throw new Refusal(400, "Logged out");
  if (closed) throw badRequest("the bot has already been closed");
}

function download(desk: Desk, path: string): Reply {
  const prefix = `/file/bot${desk.token}/`;
  const file = path.startsWith(prefix) ? desk.world.files.byPath(path.slice(prefix.length)) : undefined;
  if (file === undefined) throw new Refusal(404, "Not Found");
  return { kind: "file", content: file.content };
}

function refused(error: unknown): Reply {
  if (!(error instanceof Refusal)) throw error;
  const { code, message: description, parameters } = error;
  return {
    kind: "json",
    status: code,
    body: { ok: false, error_code: code, description, ...(parameters !== undefined && { parameters }) },
    ...(parameters?.retry_after !== undefined && {
      headers: { "retry-after": String(parameters.retry_after) },
    }),
  };
}

const BAD_GATEWAY =
  "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx</body>\r\n</html>\r\n";
