import type { z } from "zod";
import { closest } from "./closest.ts";
import { knownEntryKeys, knownKeys } from "./config-schema.ts";

type Issue = z.core.$ZodIssue;

/** What is wrong in a configuration's shape: one sentence for each problem, beginning with its key. */
export function describeIssues(issues: readonly Issue[]): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key));
    // The sentence about a bad name is inside: the outer issue only says that the name is bad.
    const said = issue.code === "invalid_key" ? (issue.issues[0] ?? issue) : issue;
    return [`${keyOf(issue.path)} ${said.message}`];
  });
}

function unknownKey(path: readonly PropertyKey[], key: string): string {
  // An entry's path ends with its number: approvals.rules[0].
  const entry = typeof path.at(-1) === "number" ? String(path.at(-2)) : undefined;
  const keys = entry === undefined ? knownKeys[String(path[0] ?? "")] : knownEntryKeys[entry];
  const meant = closest(key, keys ?? []);
  const full = keyOf([...path, key]);
  if (meant !== undefined) return `${full} is not a known key. Did you mean ${keyOf([...path, meant])}?`;
  const elsewhere = Object.keys(knownKeys).find(
    (other) => other !== "projects" && knownKeys[other]?.includes(key),
  );
  if (elsewhere !== undefined) {
    const place =
      elsewhere === "" ? "at the top of the file, above the first [table]" : `under [${elsewhere}]`;
    return `${full} is not a known key. Did you mean ${key} ${place}?`;
  }
  return `${full} is not a known key. Remove it; config.example.toml shows every key.`;
}

function keyOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((key, part) => {
    if (typeof part === "number") return `${key}[${part}]`;
    return key === "" ? String(part) : `${key}.${String(part)}`;
  }, "");
}
