import type { Upload } from "./params.ts";

/** The parts of a multipart body: fields by name, files by name. */
export type Multipart = { fields: Map<string, string>; files: Map<string, Upload> };

/** Reads a multipart body with the habits of Telegram's own reader; undefined when it is not one. */
export function readMultipart(body: Buffer, contentType: string): Multipart | undefined {
  const boundary = /boundary=(?:"([^"]*)"|([^;]*))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2]?.trim() ?? "";
  if (mark === "") return undefined;

  const fields = new Map<string, string>();
  const files = new Map<string, Upload>();
  for (const part of partsBetween(body, `--${mark}`)) {
    const headEnd = part.indexOf("\r\n\r\n");
    if (headEnd < 0) continue;
    const disposition = dispositionOf(part.subarray(0, headEnd).toString("utf8"));
    const content = part.subarray(headEnd + 4);
    const name = disposition.get("name");
    const fileName = disposition.get("filename");
    if (name === undefined) continue;
    if (fileName === undefined) fields.set(name, content.toString("utf8"));
    else files.set(name, { name: fileName, content: Buffer.from(content) });
  }
  return { fields, files };
}

function* partsBetween(body: Buffer, delimiter: string): Generator<Buffer> {
  let start = body.indexOf(delimiter);
  while (start >= 0) {
    const from = start + delimiter.length;
    const next = body.indexOf(`\r\n${delimiter}`, from);
    if (next < 0) return;
    yield body.subarray(from, next);
    start = next + 2;
  }
}

/** Values without quotes end at a semicolon and are URL-decoded: so a file called `a;b.txt` arrives as `a`. */
function dispositionOf(head: string): Map<string, string> {
  const line = head.split("\r\n").find((header) => /^\s*content-disposition\s*:/i.test(header)) ?? "";
  const attributes = new Map<string, string>();
  for (const match of line.matchAll(/;\s*([\w*-]+)=(?:"([^"]*)"|([^;]*))/g)) {
    const [, name = "", quoted, bare = ""] = match;
    attributes.set(name.toLowerCase(), quoted ?? urlDecoded(bare.trim()));
  }
  return attributes;
}

/** Percent escapes name bytes, not characters, so the text is decoded as bytes. */
function urlDecoded(text: string): string {
  const raw = Buffer.from(text).toString("latin1");
  const decoded = raw.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, "latin1").toString("utf8");
}
