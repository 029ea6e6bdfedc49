import type { Log } from "./log.ts";

export type Tasks = ReturnType<typeof createTasks>;

/** Gives every promise an owner: a failure is logged under the task's name, and the end waits for what is under way. */
export function createTasks(log: Log) {
  const running = new Set<Promise<void>>();
  return {
    run(name: string, work: () => Promise<void>): void {
      const task: Promise<void> = work()
        .catch((error: unknown) => log.error(`${name}_failed`, { error }))
        .finally(() => running.delete(task));
      running.add(task);
    },
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
