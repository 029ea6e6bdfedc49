import { performance } from "node:perf_hooks";

/** Milliseconds, one for each time that something was done. */
export type Times = number[];

/** Rounds that are not counted. */
export const WARM_UP_ROUNDS = 3;

/**
 * Does the same work in several ways, again and again, and gives the times of each. The ways take turns, and begin in
 * turn, so that whatever else the machine does falls on all of them alike.
 */
export async function sideBySide<Name extends string>(
  rounds: number,
  ways: Record<Name, () => unknown>,
): Promise<Record<Name, Times>> {
  const names = Object.keys(ways) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Times>;
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const first = Math.abs(round) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const from = performance.now();
      await ways[name]();
      if (round >= 0) times[name].push(performance.now() - from);
    }
  }
  return times;
}

/** The value below which this share of all values lies; 0.5 is the median. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error("There is nothing to take a percentile of");
  return value;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
