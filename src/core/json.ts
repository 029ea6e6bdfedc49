import type { Json, JsonObject } from "./agent-event.ts";

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function jsonList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
