import { setImmediate } from "node:timers/promises";

/** A clock that only the test moves; promises settle between two timers, as they would between two real ones. */
export function manualClock() {
  let ticks = 0;
  let setBack = 0;
  let timers: { at: number; run: () => void }[] = [];

  async function advanceTo(end: number): Promise<void> {
    await settle();
    for (let next = earliest(); next !== undefined && next.at <= end; next = earliest()) {
      ticks = next.at;
      timers = timers.filter((timer) => timer !== next);
      next.run();
      await settle();
    }
    ticks = end;
  }

  function earliest() {
    return timers.toSorted((a, b) => a.at - b.at)[0];
  }

  return {
    now: (): number => ticks - setBack,
    ticks: (): number => ticks,
    after(milliseconds: number, run: () => void): () => void {
      const timer = { at: ticks + milliseconds, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    /** Lets time pass, with everything that happens in it. */
    advance: (milliseconds: number): Promise<void> => advanceTo(ticks + milliseconds),
    /** Lets everything happen that needs no time. */
    settle,
    /** Somebody corrects the hour; time goes on as before. */
    setBack(milliseconds: number): void {
      setBack += milliseconds;
    },
  };
}

/** A turn of the event loop runs all promises that can go on; a second one those which the first woke. */
async function settle(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
