import { exitRecord, readExit } from "./process-folder.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { isAlive } from "./process-identity.ts";
import { watchPath } from "./watch-path.ts";

/** How a process ended: with a recorded code, or without a trace because its wrapper was killed as well. */
export type Exit = { how: "recorded"; code: number } | { how: "vanished" };

/** A process, and who is to hear of its end. */
export type ExitWatch = ProcessIdentity & {
  folder: string;
  /** Called once. */
  onEnded: (exit: Exit) => void;
  /** A look failed; the watching goes on. */
  onError: (error: unknown) => void;
  /** How often to look whether the leader still lives; the record itself is noticed at once. */
  pollMs?: number;
};

/** Watches for the end of a process, also of one that ended before; returns the end of the watching. */
export function onExit({ folder, onEnded, onError, pollMs = 1_000, ...identity }: ExitWatch): () => void {
  let watching = true;
  let isLooking = false;
  const stopWatching = watchPath(folder, pollMs, look, exitRecord);
  const close = () => {
    watching = false;
    stopWatching();
  };
  look();
  return close;

  function look(): void {
    if (isLooking) return;
    isLooking = true;
    endOf(folder, identity)
      .then((exit) => {
        isLooking = false;
        if (exit === undefined || !watching) return;
        close();
        onEnded(exit);
      })
      .catch((error: unknown) => {
        // The next look may work: a process whose end nobody notices would block its session for ever.
        isLooking = false;
        onError(error);
      });
  }
}

/** How the process ended, or undefined while it runs. */
export async function endOf(folder: string, identity: ProcessIdentity): Promise<Exit | undefined> {
  // Looked at before the record: a leader that is gone will write none any more.
  const isRunning = await isAlive(identity);
  const code = await readExit(folder);
  if (code !== undefined) return { how: "recorded", code };
  return isRunning ? undefined : { how: "vanished" };
}
