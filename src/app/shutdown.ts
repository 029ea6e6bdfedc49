import { existsSync } from "node:fs";
import { join } from "node:path";
import { endSession } from "../claude/frames.ts";
import { killMarked } from "../claude/marked.ts";
import { openStdin } from "../claude/stdin.ts";
import { stopProcess } from "../claude/stop.ts";
import type { Process } from "../store/processes.ts";
import { openStore, type Store } from "../store/store.ts";
import { databaseFile, INSTANCE_KEY } from "./files.ts";
import type { Log } from "./log.ts";
import { uuid } from "./new-id.ts";

/**
 * Ends every process of Claude's that belongs to a state folder, and says how many there were. Their output stays:
 * the next start reads what is left of it, so that no answer is lost.
 */
export async function endAllProcesses(input: { stateDir: string; log: Log }): Promise<number> {
  const file = join(input.stateDir, databaseFile);
  if (!existsSync(file)) return 0;
  const store = openStore(file);
  try {
    const instance = store.meta.get(INSTANCE_KEY);
    if (instance === undefined) return 0;
    const running = store.processes
      .live()
      .flatMap((process) => (process.os === undefined ? [] : [{ ...process, os: process.os }]));
    const ended = await Promise.all(
      running.map((process) => endProcess(store, instance, process, input.log)),
    );
    // Whatever no row knows goes too.
    const { killed } = await killMarked(instance, () => true);
    if (killed.length > 0) input.log.warn("shutdown.strays", { processes: killed.length });
    return ended.filter((didRun) => didRun).length;
  } finally {
    store.close();
  }
}

async function endProcess(
  store: Store,
  instance: string,
  process: Process & { os: NonNullable<Process["os"]> },
  log: Log,
): Promise<boolean> {
  store.transaction(() => {
    if (process.state !== "ending") store.processes.append(process.id, endSession(uuid()));
    store.processes.ending(process.id, "wanted");
  });
  const stdin = openStdin({
    folder: process.folder,
    instance,
    source: { read: (offset) => store.processes.bytesFrom(process.id, offset) },
    // A process whose folder is gone cannot be asked; the signals that follow need no folder.
    onError: (failure) =>
      log.warn("shutdown.stdin_failed", { process: process.id, message: failure.message }),
  });
  const { took } = await stopProcess({
    ...process.os,
    marks: { instance, session: process.id },
    askToEnd: () => stdin.wake(),
  });
  await stdin.close();
  log.info("shutdown.ended", { process: process.id, took });
  return took !== "nothing";
}
