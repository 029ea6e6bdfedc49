import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { blocksOf, writeAnswer, writeError } from "./answer.ts";
import { createGates } from "./gates.ts";
import { type Conversation, planFileOf, readConversation, toolResultsOf, userTextsOf } from "./request.ts";
import { type Answer, placeOf } from "./script.ts";

/** A stand-in for Anthropic's API on loopback, which does what the prompts tell it. */
export type Model = {
  url: string;
  /** Lets through every answer held at this gate, now and later. */
  open(gate: string): void;
  /** Resolves once an answer is held at this gate. */
  reached(gate: string): Promise<void>;
  /** All requests so far with side jobs left out, oldest first; given a session id, only that session's. */
  requests(sessionId?: string): Conversation[];
  sideJobs(): Conversation[];
  /** The texts of all tool results in the newest request. */
  lastToolResults(sessionId?: string): string[];
  /** The system prompt of the newest request. */
  systemPrompt(sessionId?: string): string;
  /** How often this text was put to the model, over all sessions: a prompt that ran twice counts twice. */
  timesTold(text: string): number;
  close(): Promise<void>;
};

/** Starts a scripted model on a free port of 127.0.0.1. */
export async function startModel(): Promise<Model> {
  const gates = createGates();
  const seen: Conversation[] = [];
  const next = scriptReader();
  let answers = 0;

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else writeError(response, { status: 400, error: "invalid_request_error", message: String(error) });
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const body = await text(request);
    if (request.method === "POST" && path.endsWith("/count_tokens")) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ input_tokens: 100 }));
    } else if (request.method === "POST" && path.endsWith("/v1/messages")) {
      await answer(readConversation(body), response);
    } else writeError(response, { status: 404, error: "not_found_error", message: path });
  }

  async function answer(conversation: Conversation, response: ServerResponse): Promise<void> {
    seen.push(conversation);
    const id = `msg_${++answers}`;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const step = conversation.sideJob ? OK : next(conversation);
    for (const gate of step.gates) await gates.pass(gate, gone.signal);
    if (step.holdMs > 0) await delay(step.holdMs, undefined, { signal: gone.signal }).catch(() => {});
    if (gone.signal.aborted) return;
    if (step.status !== undefined) return writeError(response, step);
    const { model, stream } = conversation;
    writeAnswer(response, { id, model, stream, blocks: blocksOf(step, id, planFileOf(conversation)) });
  }

  const requests = (sessionId?: string) =>
    seen.filter((one) => !one.sideJob && (sessionId === undefined || one.sessionId === sessionId));

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo; // never a string: we listen on TCP

  return {
    url: `http://127.0.0.1:${port}`,
    open: (gate) => gates.open(gate),
    reached: (gate) => gates.reached(gate),
    requests,
    sideJobs: () => seen.filter((one) => one.sideJob),
    lastToolResults(sessionId) {
      const last = requests(sessionId).at(-1);
      return last ? toolResultsOf(last).map((result) => result.text) : [];
    },
    systemPrompt: (sessionId) => requests(sessionId).at(-1)?.system ?? "",
    timesTold: (words) => timesTold(requests(), words),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const OK: Answer = { text: "ok", gates: [], holdMs: 0 };

// An error leaves no assistant message behind, so errors already told are counted here and not in the conversation.
function scriptReader(): (conversation: Conversation) => Answer {
  const errorsTold = new Map<string, number>();
  return (conversation) => {
    const place = placeOf(conversation);
    if (!place) return OK;
    let answersLeft = place.answered;
    for (const [index, step] of place.steps.entries()) {
      if (step.status === undefined) {
        if (answersLeft-- === 0) return step;
        continue;
      }
      const key = `${place.key}#${index}`;
      const told = errorsTold.get(key) ?? 0;
      if (told >= (step.times ?? 1)) continue;
      errorsTold.set(key, told + 1);
      return step;
    }
    return OK;
  };
}

// A conversation is sent again with every request, so per session the fullest request counts.
function timesTold(requests: Conversation[], words: string): number {
  const most = new Map<string, number>();
  for (const request of requests) {
    const count = userTextsOf(request).join("\n").split(words).length - 1;
    most.set(request.sessionId, Math.max(most.get(request.sessionId) ?? 0, count));
  }
  return [...most.values()].reduce((sum, count) => sum + count, 0);
}
