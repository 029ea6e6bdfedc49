import { setTimeout as delay } from "node:timers/promises";

/** Asks again and again, ever more slowly, until it is so or the time is over; says which. */
export async function waitUntil(isSo: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    if (await isSo()) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pause, left));
  }
}
