import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What goes back over the wire; `reset` cuts the connection without a word. */
export type Reply =
  | { kind: "json"; status: number; body: unknown; headers?: Record<string, string> }
  | { kind: "html"; status: number; body: string }
  | { kind: "file"; content: Buffer }
  | { kind: "reset" };

/** Answers one request; `gone` fires when the client hangs up first. */
export type Respond = (request: IncomingMessage, gone: AbortSignal) => Promise<Reply>;

/** A loopback HTTP server that can vanish from the network and come back at the same port. */
export type LoopbackServer = {
  root: string;
  down: () => Promise<void>;
  up: () => Promise<void>;
  close: () => Promise<void>;
};

/** Starts the server on a free port of 127.0.0.1. */
export async function startServer(respond: Respond): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const left = new AbortController();
    response.once("close", () => left.abort());
    respond(request, left.signal).then(
      (reply) => write(response, reply),
      // A throw here is a bug of the simulator; it must show in the test, not hang it.
      (error: unknown) => write(response, { kind: "html", status: 500, body: String(error) }),
    );
  });
  // A test may think for minutes between two calls of a kept-alive client.
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        resolve(portOf(server.address()));
      });
    });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  const port = await listen(0);
  return {
    root: `http://127.0.0.1:${port}`,
    down: stop,
    async up() {
      if (!server.listening) await listen(port);
    },
    close: stop,
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return address.port;
}

function write(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  switch (reply.kind) {
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "json":
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(JSON.stringify(reply.body));
      return;
    case "html":
      response.writeHead(reply.status, { "content-type": "text/html" });
      response.end(reply.body);
      return;
    case "file":
      response.writeHead(200, {
        "content-type": "application/octet-stream",
        "content-length": reply.content.length,
      });
      response.end(reply.content);
      return;
  }
}
