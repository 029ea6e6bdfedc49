import { setTimeout as delay } from "node:timers/promises";

/** Waits for something that nobody announces, as a line in a log or the end of a process. */
export async function eventually<Value>(
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  what: string,
  patienceMs = 45_000,
): Promise<Value> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > until) throw new Error(`Waited ${patienceMs} ms in vain for ${what}.`);
    await delay(25);
  }
}
