import { isIPv6 } from "node:net";

/** A link Telegram would take, in the form it stores, or the reason it refuses. */
export type CheckedLink = { ok: true; url: string; https: boolean } | { ok: false; why: string };

/** Checks a link as Telegram checks text links and button links. */
export function checkLink(link: string): CheckedLink {
  const own = /^(tg|ton):(\/\/)?/i.exec(link);
  return own ? checkOwnScheme(own[1]?.toLowerCase() ?? "", link.slice(own[0].length)) : checkHttp(link);
}

/** The user a `tg://user?id=…` link names: such a link is a mention, not a link. */
export function mentionedUser(link: string): number | undefined {
  const query = /^tg:(?:\/\/)?user\/?\?([^#]*)/i.exec(link)?.[1];
  const id = query
    ?.split("&")
    .find((parameter) => parameter.startsWith("id="))
    ?.slice(3);
  return id !== undefined && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
}

type HttpUrl = {
  scheme: "http" | "https";
  named: boolean;
  userinfo: string;
  host: string;
  port: number;
  query: string;
};

function checkHttp(link: string): CheckedLink {
  const url = parseHttp(link);
  if (typeof url === "string") return { ok: false, why: url };
  if (!url.host.includes(".") && !isBracketed(url.host)) return { ok: false, why: "Wrong HTTP URL" };
  const user = url.userinfo === "" ? "" : `${url.userinfo}@`;
  const port = url.port === 0 ? "" : `:${url.port}`;
  const written = `${url.scheme}://${user}${url.host}${port}${url.query}`;
  return { ok: true, url: written, https: url.scheme === "https" };
}

function checkOwnScheme(scheme: string, rest: string): CheckedLink {
  const url = parseHttp(rest);
  if (typeof url === "string") return { ok: false, why: url };
  if (url.named || url.userinfo !== "" || url.port !== 0 || isBracketed(url.host)) {
    return { ok: false, why: `Wrong ${scheme} URL` };
  }
  if (!/^[a-z0-9_-]*$/.test(url.host)) return { ok: false, why: "Unallowed characters in URL host" };
  const query = url.query.startsWith("/?") ? url.query.slice(1) : url.query;
  return { ok: true, url: `${scheme}://${url.host}${query}`, https: false };
}

function parseHttp(link: string): HttpUrl | string {
  const named = /^([^:/?#@[\]]*):\/\//.exec(link);
  const scheme = (named?.[1] ?? "http").toLowerCase();
  if (scheme !== "http" && scheme !== "https") return "Unsupported URL protocol";

  const rest = link.slice(named?.[0].length ?? 0);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? "";
  const portText = /^(.+):([^:\]@]*)$/s.exec(authority);
  const port = portText === null ? 0 : parsePort(portText[2] ?? "");
  if (port === undefined) return "Wrong port number specified in the URL";

  const userAndHost = portText?.[1] ?? authority;
  const at = userAndHost.lastIndexOf("@");
  const host = lowerAscii(userAndHost.slice(at + 1));
  const wrong = wrongHost(host);
  if (wrong !== undefined) return wrong;

  const path = rest.slice(authority.length).replace(/[\s\0]+$/, "");
  const query = (path.startsWith("/") ? path : `/${path}`).replaceAll(/[\0- ]/g, percentEncode);
  return {
    scheme,
    named: named !== null,
    userinfo: at < 0 ? "" : userAndHost.slice(0, at),
    host,
    port,
    query,
  };
}

function parsePort(text: string): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const port = Number(text);
  return port > 0 && port <= 65535 ? port : undefined;
}

function wrongHost(host: string): string | undefined {
  if (isBracketed(host))
    return isIPv6(host.slice(1, -1)) ? undefined : "Wrong IPv6 address specified in the URL";
  if (host === "") return "URL host is empty";
  if (host === ".") return "Host is invalid";
  if (/%(?![0-9a-f]{2})/.test(host)) return "Wrong percent-encoded symbol in URL host";
  return /^(?:[a-z0-9._!$,~*'();&+=%-]|[^\0-\x7F])*$/u.test(host)
    ? undefined
    : "Disallowed character in URL host";
}

function isBracketed(host: string): boolean {
  return host.startsWith("[") && host.endsWith("]");
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
