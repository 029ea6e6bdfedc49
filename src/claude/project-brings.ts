import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import type { FolderBrings } from "../core/trust.ts";

/** What a folder brings, and a fingerprint of everything in it that could act: another one is another question. */
export type Brought = { brings: FolderBrings; fingerprint: string };

const SETTINGS = [".claude/settings.json", ".claude/settings.local.json"];
const SERVERS = ".mcp.json";
/** They only advise Claude, but an untrusted start leaves them out as well. */
const ADVICE = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"];
const ADVICE_FOLDERS = [".claude/rules", ".claude/output-styles"];
/** Their files can carry hooks, allowed tools and commands that run, so another content is another question. */
const ACTING_FOLDERS = [".claude/agents", ".claude/commands", ".claude/skills"];

/** Reads what a repository would run or allow by itself. A file that cannot be read as settings is shown as such. */
export async function readBrought(folder: string): Promise<Brought> {
  const hash = createHash("sha256");
  const brings: FolderBrings = { hooks: [], servers: [], rules: [], leftOut: [] };
  for (const name of [...SETTINGS, SERVERS]) {
    const text = await textOf(join(folder, name));
    if (text === undefined) continue;
    hash.update(`${name}\0${text}\0`);
    const parsed = parseJson(text);
    if (name === SERVERS) brings.servers.push(...serversIn(parsed, name));
    else addSettings(brings, parsed, name);
  }
  for (const name of ADVICE) if ((await textOf(join(folder, name))) !== undefined) brings.leftOut.push(name);
  for (const name of ADVICE_FOLDERS)
    if ((await filesIn(join(folder, name))).length > 0) brings.leftOut.push(`${name}/`);
  for (const name of ACTING_FOLDERS) {
    const files = await filesIn(join(folder, name));
    for (const file of files)
      hash.update(`${name}/${file}\0${(await textOf(join(folder, name, file))) ?? ""}\0`);
    brings.leftOut.push(...files.slice(0, MOST_NAMED).map((file) => `${name}/${file}`));
    if (files.length > MOST_NAMED) brings.leftOut.push(`${name}/ (${files.length - MOST_NAMED} more)`);
  }
  return { brings, fingerprint: hash.digest("hex") };
}

const MOST_NAMED = 10;

/** Whether the owner accepted Claude's own trust dialog for exactly this folder. */
export async function isTrustedByClaude(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const home = env["CLAUDE_CONFIG_DIR"] ?? env["HOME"];
  if (home === undefined) return false;
  const parsed = claudeJson.safeParse(parseJson((await textOf(join(home, ".claude.json"))) ?? ""));
  return parsed.success && parsed.data.projects?.[folder]?.hasTrustDialogAccepted === true;
}

const claudeJson = z.looseObject({
  projects: z
    .record(z.string(), z.looseObject({ hasTrustDialogAccepted: z.boolean().optional().catch(undefined) }))
    .optional(),
});

const command = z.looseObject({
  command: z.string().optional(),
  url: z.string().optional(),
  prompt: z.string().optional(),
});
const settings = z.looseObject({
  hooks: z.record(z.string(), z.array(z.looseObject({ hooks: z.array(command) }))).optional(),
  permissions: z
    .looseObject({
      allow: z.array(z.string()).optional(),
      additionalDirectories: z.array(z.string()).optional(),
      defaultMode: z.string().optional(),
    })
    .optional(),
});
/** Other settings with which a repository can make Claude run something or speak to another server. */
const POWERS = [
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "env",
  "statusLine",
  "otelHeadersHelper",
  "enabledPlugins",
  "enableAllProjectMcpServers",
];

function addSettings(brings: FolderBrings, json: unknown, name: string): void {
  const parsed = settings.safeParse(json);
  if (!parsed.success) {
    brings.hooks.push(`${name}: cannot be read, so it may hold anything`);
    return;
  }
  const { hooks, permissions } = parsed.data;
  for (const [event, groups] of Object.entries(hooks ?? {})) {
    for (const hook of groups.flatMap((group) => group.hooks)) {
      brings.hooks.push(`${event}: ${hook.command ?? hook.url ?? hook.prompt ?? "a hook"}`);
    }
  }
  for (const power of POWERS) {
    if (parsed.data[power] !== undefined)
      brings.hooks.push(`${power}: ${JSON.stringify(parsed.data[power])}`);
  }
  brings.rules.push(...(permissions?.allow ?? []));
  brings.rules.push(...(permissions?.additionalDirectories ?? []).map((path) => `folder ${path}`));
  if (permissions?.defaultMode !== undefined) brings.rules.push(`mode ${permissions.defaultMode}`);
}

const servers = z.looseObject({
  mcpServers: z.record(
    z.string(),
    z.looseObject({
      command: z.string().optional(),
      args: z.array(z.string()).optional(),
      url: z.string().optional(),
    }),
  ),
});

function serversIn(json: unknown, name: string): string[] {
  const parsed = servers.safeParse(json);
  if (!parsed.success) return [`${name}: cannot be read, so it may hold anything`];
  return Object.entries(parsed.data.mcpServers).map(
    ([server, { command: program, args, url }]) =>
      `${server}: ${url ?? [program ?? "?", ...(args ?? [])].join(" ")}`,
  );
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Every file below a folder, in an order that does not change by itself. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory());
    return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
  } catch {
    return [];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
