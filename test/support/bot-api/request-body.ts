import type { IncomingMessage } from "node:http";
import { readMultipart } from "./multipart.ts";
import { isRecord, makeParams, type Params, parseJson, type Upload } from "./params.ts";
import { badRequest, Refusal } from "./refusal.ts";

const LARGEST_BODY = 50 * 1024 * 1024 + 64 * 1024;

/** Reads a request's parameters: query string and body together, whatever the body's form. */
export async function readParams(request: IncomingMessage, query: URLSearchParams): Promise<Params> {
  const body = await readBody(request);
  const values = new Map(query);
  const uploads = new Map<string, Upload>();
  let original: Record<string, unknown> = {};
  const type = request.headers["content-type"] ?? "";

  if (/^application\/json/i.test(type) && body.length > 0) {
    original = jsonObject(body);
    for (const [name, value] of Object.entries(original)) values.set(name, asText(value));
  } else if (/^application\/x-www-form-urlencoded/i.test(type)) {
    for (const [name, value] of new URLSearchParams(body.toString("utf8"))) values.set(name, value);
  } else if (/^multipart\/form-data/i.test(type)) {
    const parts = readMultipart(body, type);
    if (parts === undefined) throw badRequest("boundary field not found");
    for (const [name, value] of parts.fields) values.set(name, value);
    for (const [name, file] of parts.files) uploads.set(name, file);
  }
  return makeParams(values, uploads, original);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    // Read on to the end, or the client would see a broken pipe instead of the answer.
    if (size <= LARGEST_BODY) chunks.push(bytes);
  }
  if (size > LARGEST_BODY) throw new Refusal(413, "Request Entity Too Large");
  return Buffer.concat(chunks);
}

function jsonObject(body: Buffer): Record<string, unknown> {
  const value = parseJson(body.toString("utf8"));
  if (!isRecord(value)) throw badRequest("object expected as request parameters");
  return value;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
