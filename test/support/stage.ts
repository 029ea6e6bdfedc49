import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { scanMarked } from "../../src/claude/marked.ts";
import type { Chat } from "./bot-api/chat-control.ts";
import type { Person } from "./bot-api/person.ts";
import { type Simulator, startSimulator } from "./bot-api/simulator.ts";
import { type BotProcess, launchBotProcess, runSignoff, startBotProcess } from "./bot-process.ts";
import { claudeCommand, throwAwayHome } from "./claude-home.ts";
import { type Model, startModel } from "./model/model.ts";

/** A whole set-up for a journey: Telegram, a model, a project, and the bot as a user would run it. */
export type Stage = {
  telegram: Simulator;
  model: Model;
  ann: Person;
  chat: Chat;
  /** The folder of the project `web`. */
  project: string;
  stateDir: string;
  configFile: string;
  home: string;
  /** Starts the bot, or starts it again. */
  start(): Promise<BotProcess>;
  /** The same without waiting until it is ready. */
  launch(): BotProcess;
  bot(): BotProcess;
  /** The pids of everything that carries this bot's mark. */
  marked(): Promise<number[]>;
  signoff(...args: string[]): Promise<{ code: number; out: string; err: string }>;
  close(): Promise<void>;
};

export type StageOptions = {
  /** More of the config, as TOML tables. */
  config?: string;
  claude?: string;
  approvals?: string;
  project?: string;
  files?: Record<string, string>;
  patienceMs?: number;
  command?: string;
};

/** Sets the stage; the bot is not started yet. */
export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "signoff-stage-"));
  const project = join(folder, "web");
  const stateDir = join(folder, "state");
  await mkdir(project);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await mkdir(join(project, name, ".."), { recursive: true });
    await writeFile(join(project, name), text);
  }
  const home = await throwAwayHome();
  const model = await startModel();
  const telegram = await startSimulator({ patienceMs: options.patienceMs ?? 45_000 });
  const ann = telegram.user({ id: 111, first_name: "Ann" });
  const chat = telegram.privateChat(ann);
  const configFile = join(folder, "signoff.toml");
  const { PATH, ...env } = home.env(model);
  await writeFile(configFile, configText({ options, project, stateDir, telegram, env }), { mode: 0o600 });
  const around = { configFile, env: { PATH: PATH ?? "", HOME: home.home } };
  let running: BotProcess | undefined;

  return {
    telegram,
    model,
    ann,
    chat,
    project,
    stateDir,
    configFile,
    home: home.home,
    async start() {
      running = await startBotProcess(around, telegram);
      return running;
    },
    launch() {
      running = launchBotProcess(around);
      return running;
    },
    bot() {
      if (running === undefined) throw new Error("The bot was not started");
      return running;
    },
    marked: () => markedPids(stateDir),
    signoff: (...args) => runSignoff(around, args),
    async close() {
      await running?.kill();
      await runSignoff(around, ["stop", "--all"]);
      await telegram.close();
      await model.close();
      await home.cleanup();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function configText(given: {
  options: StageOptions;
  project: string;
  stateDir: string;
  telegram: Simulator;
  env: Record<string, string>;
}): string {
  const { options, project, stateDir, telegram, env } = given;
  const lines = [
    `state_dir = ${JSON.stringify(stateDir)}`,
    "[telegram]",
    `token = ${JSON.stringify(telegram.token)}`,
    `api_root = ${JSON.stringify(telegram.root)}`,
    "allowed_users = [111]",
    "[claude]",
    `command = ${JSON.stringify(options.command ?? claudeCommand())}`,
    options.claude ?? "",
    "[claude.env]",
    ...Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ...(options.approvals === undefined ? [] : ["[approvals]", options.approvals]),
    "[projects.web]",
    `path = ${JSON.stringify(project)}`,
    options.project ?? "",
    options.config ?? "",
  ];
  return `${lines.join("\n")}\n`;
}

async function markedPids(stateDir: string): Promise<number[]> {
  const file = join(stateDir, "signoff.db");
  if (!existsSync(file)) return [];
  const db = new Database(file, { readonly: true });
  const row = db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'instance'").get();
  db.close();
  return row === undefined ? [] : (await scanMarked(row.value)).map(({ pid }) => pid);
}
