import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Chat } from "../test/support/bot-api/chat-control.ts";
import { eventually } from "../test/support/eventually.ts";
import { script } from "../test/support/model/script.ts";
import { queryStore } from "../test/support/read-store.ts";
import { type Stage, setStage } from "../test/support/stage.ts";
import { type Memory, memoryNow, memoryOf } from "./support/memory.ts";
import { megabytes, ratio, report } from "./support/report.ts";

const SESSIONS = 20;
/** As many as the real CLI is asked to run: it is big, and only the bot's own memory counts here. */
const REAL_SESSIONS = 3;
const PATIENCE_MS = 180_000;
const bareClaude = fileURLToPath(new URL("support/bare-claude.mjs", import.meta.url));

const bare = await measure([1, REAL_SESSIONS, SESSIONS], bareClaude);
const real = await measure([1, REAL_SESSIONS]);
const [none, all] = [at(bare, 0), at(bare, SESSIONS)];
const perSession = (all.rss - at(bare, 1).rss) / (SESSIONS - 1);
report(
  "The bot's own memory, by live sessions",
  [...bare.steps.map(row("bare stand-in")), ...real.steps.map(row("real CLI"))],
  `${SESSIONS} live sessions: the bot holds ${megabytes(all.rss)} in all, ${ratio(all.rss, none.rss)} of what it holds without any; ` +
    `${megabytes(all.rss - none.rss)} more, ${megabytes(perSession)} for each one after the first. ` +
    `Beside it, each has ${bare.helpers.each} helpers (sh, tail, cat) with ${megabytes(bare.helpers.anon)} of their own.`,
);

type Step = { sessions: number; memory: Memory };
type Measured = { steps: Step[]; helpers: { each: number; anon: number } };

/** Starts a bot, lets it have more and more live sessions, and looks at its memory at each step. */
async function measure(counts: readonly number[], command?: string): Promise<Measured> {
  const stage = await setStage({ patienceMs: PATIENCE_MS, ...(command === undefined ? {} : { command }) });
  try {
    const bot = await stage.start();
    const group = await enabledForum(stage);
    const steps: Step[] = [{ sessions: 0, memory: await memoryOf(bot.pid) }];
    let live = 0;
    for (const sessions of counts) {
      for (; live < sessions; live += 1) {
        const topic = stage.ann.createsTopic(group, `Topic ${live + 1}`);
        stage.ann.sends(group, script([{ text: "Fine." }]), { topic });
      }
      await eventually(() => turnsDone(stage) === live, `${live} turns to be over`, PATIENCE_MS);
      steps.push({ sessions, memory: await memoryOf(bot.pid) });
    }
    return { steps, helpers: await helpersOf(stage, live) };
  } finally {
    await stage.close();
  }
}

async function enabledForum({ telegram, ann }: Stage): Promise<Chat> {
  const group = telegram.group({ id: -1001, forum: true, members: [ann], bot: "administrator" });
  ann.sends(group, "/enable");
  const card = await group.untilMessage(({ buttons }) => buttons.length > 0);
  await ann.taps(card, "Enable here").toast();
  return group;
}

function turnsDone({ stateDir }: Stage): number {
  return queryStore<{ done: number }>(
    stateDir,
    "SELECT count(*) AS done FROM turns WHERE state = 'done'",
  ).reduce((sum, { done }) => sum + done, 0);
}

/** What keeps a session's stdin and outlives the bot: small programs, of which almost all memory is shared. */
async function helpersOf(stage: Stage, live: number): Promise<{ each: number; anon: number }> {
  const marked = await stage.marked();
  const helpers = marked.filter((pid) => ["sh", "dash", "tail", "cat"].includes(nameOf(pid)));
  const anon = helpers.reduce((sum, pid) => sum + memoryNow(pid).anon, 0);
  return { each: helpers.length / live, anon: anon / live };
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
}

function at(measured: Measured, sessions: number): Memory {
  const step = measured.steps.find((one) => one.sessions === sessions);
  if (step === undefined) throw new Error(`${sessions} sessions were not measured`);
  return step.memory;
}

function row(claude: string): (step: Step, index: number, steps: Step[]) => Record<string, string> {
  return ({ sessions, memory }, _index, steps) => ({
    claude,
    sessions: String(sessions),
    "ratio to none": ratio(memory.rss, steps[0]?.memory.rss ?? Number.NaN),
    RSS: megabytes(memory.rss),
    "of it anonymous": megabytes(memory.anon),
    "most so far": megabytes(memory.peak),
  });
}
