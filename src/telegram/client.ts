import { Api, type ApiClientOptions } from "grammy";

/** The Bot API, made for us: calls end after a minute, uploads may take five. */
export type Client = { api: Api; uploads: Api };

/** A client for one bot. Its errors can still hold the token; `call` is the way to make calls that cannot leak it. */
export function createClient(options: { token: string; apiRoot: string }): Client {
  const shared: ApiClientOptions = {
    // grammY refuses a root that ends in a slash.
    apiRoot: options.apiRoot.replace(/\/+$/, ""),
    sensitiveLogs: false,
  };
  return {
    api: new Api(options.token, { ...shared, timeoutSeconds: 60 }),
    uploads: new Api(options.token, { ...shared, timeoutSeconds: 300 }),
  };
}

/** A standard abort signal as grammY takes it. */
export function grammySignal(signal: AbortSignal): Parameters<Api["getMe"]>[0] {
  // grammY's types name the signal of an old polyfill; all it uses of a signal, the standard one has too.
  return signal as Parameters<Api["getMe"]>[0];
}
