import { performance } from "node:perf_hooks";
import type { Clock } from "../../src/telegram/clock.ts";

/** A clock on which waits of minutes take seconds; for tests that talk to a server and cannot stop time. */
export function hastyClock(speed = 50): Clock {
  const ticks = () => performance.now() * speed;
  return {
    now: () => Math.round(ticks()),
    ticks,
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds / speed);
      return () => clearTimeout(timer);
    },
  };
}
