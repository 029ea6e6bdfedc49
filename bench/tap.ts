import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { Api } from "grammy";
import { openDatabase } from "../src/store/database.ts";
import type { Person } from "../test/support/bot-api/person.ts";
import type { SeenMessage } from "../test/support/bot-api/seen-message.ts";
import { type Simulator, startSimulator } from "../test/support/bot-api/simulator.ts";
import { eventually } from "../test/support/eventually.ts";
import { queryStore } from "../test/support/read-store.ts";
import { type Stage, setStage } from "../test/support/stage.ts";
import { milliseconds, ratio, report } from "./support/report.ts";
import { percentile, type Times } from "./support/side-by-side.ts";

const TAPS = 200;
/** Telegram takes twenty messages a minute in a group, so the requests are spread over many. */
const GROUPS = 17;
const REQUESTS_EACH = 15;
const LEFT_WAITING = GROUPS * REQUESTS_EACH - TAPS;
const REPORTS = 100;
const PATIENCE_MS = 240_000;
const bareClaude = fileURLToPath(new URL("support/bare-claude.mjs", import.meta.url));
const echoBot = fileURLToPath(new URL("support/echo-bot.mjs", import.meta.url));

const stage = await setStage({ command: bareClaude, patienceMs: PATIENCE_MS });
const echo = await startEcho();
try {
  await stage.start();
  const cards = await waitingCards(stage);
  await fillOutbox(stage);
  const queuedBefore = queued(stage);
  const commit = commits(stage.stateDir);
  const times: Record<"signoff" | "echo" | "commits", Times> = { signoff: [], echo: [], commits: [] };
  for (const card of cards.slice(0, TAPS)) {
    times.signoff.push(await tapTime(stage.telegram, stage.ann, card, "Allow"));
    times.echo.push(await tapTime(echo.telegram, echo.ann, echo.card, "Allow"));
    times.commits.push(commit());
  }
  const at = (name: string, share: number) => {
    const [signoff, bare] = [percentile(times.signoff, share), percentile(times.echo, share)];
    return {
      at: name,
      ratio: ratio(signoff, bare),
      Signoff: milliseconds(signoff),
      "echo bot": milliseconds(bare),
      "two bare commits": milliseconds(percentile(times.commits, share)),
    };
  };
  report(
    `From a tap to its answer, ${TAPS} taps`,
    [at("p50", 0.5), at("p90", 0.9), at("p99", 0.99)],
    `Every tap decided a request that waited: ${GROUPS * REQUESTS_EACH} at the first tap, ${LEFT_WAITING} after the last; ` +
      `the outbox held ${queuedBefore} rows at the first and ${queued(stage)} after the last. ` +
      "A tap is on disk twice before it is answered: as an update, and as a decision with its answer for Claude.",
  );
} finally {
  await echo.close();
  await stage.close();
}

/** From the moment Telegram hands the tap to the waiting bot to the moment its answer has come. */
async function tapTime(telegram: Simulator, ann: Person, card: SeenMessage, button: string): Promise<number> {
  await telegram.until(() => telegram.isPolling(), "the bot to poll");
  const from = performance.now();
  const { text } = await ann.taps(card, button).toast();
  const time = performance.now() - from;
  if (text !== "Allowed") throw new Error(`The tap was answered with ${JSON.stringify(text)}`);
  return time;
}

/** Requests of as many sessions as there are groups, each with its card. */
async function waitingCards({ telegram, ann }: Stage): Promise<SeenMessage[]> {
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    telegram.group({ id: -1001 - index, members: [ann], bot: "administrator" }),
  );
  for (const group of groups) {
    ann.sends(group, "/enable");
    const card = await group.untilMessage(({ buttons }) => buttons.length > 0);
    await ann.taps(card, "Enable here").toast();
    ann.sends(group, `ask ${REQUESTS_EACH}`);
  }
  const canAllow = (message: SeenMessage): boolean =>
    message.buttons.flat().some(({ text }) => text === "Allow");
  return telegram.until(() => {
    const cards = groups.map((group) => group.fromBot().filter(canAllow));
    if (!cards.every(({ length }) => length === REQUESTS_EACH)) return undefined;
    // From group to group, so that no two taps in a row go to the same session.
    return Array.from({ length: REQUESTS_EACH }, (_, index) =>
      cards.flatMap((ofGroup) => ofGroup.slice(index, index + 1)),
    ).flat();
  }, "a card for every request");
}

/** Gives the outbox more to send than Telegram takes in the time. */
async function fillOutbox(stage: Stage): Promise<void> {
  for (let count = 0; count < REPORTS; count += 1) stage.ann.sends(stage.chat, "/status");
  await eventually(() => queued(stage) > REPORTS / 2, "the outbox to be full");
}

/** What it takes to write two rows, one after the other, to a store beside the bot's. */
function commits(stateDir: string): () => number {
  const db = openDatabase(join(stateDir, "bench.db"));
  const insert = db.prepare("INSERT INTO meta (key, value) VALUES (?, ?)");
  return () => {
    const from = performance.now();
    for (let count = 0; count < 2; count += 1) insert.run(randomUUID(), "x".repeat(1000));
    return performance.now() - from;
  };
}

function queued({ stateDir }: Stage): number {
  const sql = "SELECT count(*) AS open FROM outbox WHERE state IN ('queued', 'sending')";
  return queryStore<{ open: number }>(stateDir, sql)[0]?.open ?? 0;
}

/** The echo bot with a Telegram of its own, and a message to tap. */
async function startEcho(): Promise<{
  telegram: Simulator;
  ann: Person;
  card: SeenMessage;
  close(): Promise<void>;
}> {
  const telegram = await startSimulator({ patienceMs: PATIENCE_MS });
  const ann = telegram.user({ id: 111, first_name: "Ann" });
  const chat = telegram.privateChat(ann);
  await new Api(telegram.token, { apiRoot: telegram.root }).sendMessage(chat.id, "May I?", {
    reply_markup: { inline_keyboard: [[{ text: "Allow", callback_data: "allow" }]] },
  });
  const child = spawn(process.execPath, [echoBot, telegram.token, telegram.root], { stdio: "inherit" });
  return {
    telegram,
    ann,
    card: await chat.untilMessage("May I?"),
    async close() {
      child.kill();
      await once(child, "exit");
      await telegram.close();
    },
  };
}
