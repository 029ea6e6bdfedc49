import { performance } from "node:perf_hooks";

/** Time as an argument. */
export type Clock = {
  /** What the hour is, in milliseconds since the epoch; for what is kept. Somebody may set it back. */
  now(): number;
  /** Milliseconds since some moment; for waits, because it never goes back. */
  ticks(): number;
  /** Calls after a while, unless it is taken back by calling what is returned. */
  after(milliseconds: number, run: () => void): () => void;
};

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
