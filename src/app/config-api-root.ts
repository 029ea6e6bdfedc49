import { BlockList, isIP } from "node:net";

const example = 'Write it as "https://api.telegram.org".';

/** Checks where the Bot API is: a plain URL, without a trailing slash, and encrypted unless it stays at home. */
export function checkApiRoot(text: string): { url: string; warnings: string[] } | { problem: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:"))
    return { problem: `telegram.api_root is not an http or https URL. ${example}` };
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return { problem: `telegram.api_root must have no user, no password, no "?" and no "#". ${example}` };
  if (/\/bot\d/.test(url.pathname))
    return {
      problem: `telegram.api_root must end before "/bot<token>", which Signoff adds itself. ${example}`,
    };
  const warnings =
    url.protocol === "http:" && !isLocal(url.hostname)
      ? [`telegram.api_root sends the bot's token unencrypted to ${url.hostname}. Use https.`]
      : [];
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, ""), warnings };
}

const localAddresses = new BlockList();
localAddresses.addSubnet("127.0.0.0", 8);
localAddresses.addSubnet("10.0.0.0", 8);
localAddresses.addSubnet("172.16.0.0", 12);
localAddresses.addSubnet("192.168.0.0", 16);
localAddresses.addSubnet("169.254.0.0", 16);
localAddresses.addAddress("::1", "ipv6");
localAddresses.addSubnet("fc00::", 7, "ipv6");
localAddresses.addSubnet("fe80::", 10, "ipv6");

/** A name without a dot is a neighbour too: that is how containers call each other. */
function isLocal(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) === 0) return !hostname.includes(".") || /\.(local|localhost|internal)$/.test(hostname);
  return localAddresses.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
