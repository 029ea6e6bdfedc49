import type { FSWatcher } from "node:fs";
import { watch } from "node:fs";

/** Calls back when a file or a folder's content may have changed, and every `pollMs` in any case; returns the end of it. */
export function watchPath(path: string, pollMs: number, onChange: () => void, only?: string): () => void {
  // Watches can be refused (inotify's limits) and can miss changes (network file systems): the poll makes up for it.
  const watcher = tryWatch(path, (name) => {
    if (only === undefined || name === only) onChange();
  });
  const poll = setInterval(onChange, pollMs);
  return () => {
    watcher?.close();
    clearInterval(poll);
  };
}

function tryWatch(path: string, onName: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, (_event, name) => onName(name));
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
