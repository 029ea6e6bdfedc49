/** Numbers from 0 up to 1 that are the same for the same seed, so that a failing case can be run again (mulberry32). */
export function random(seed: number): () => number {
  let counter = seed | 0;
  return () => {
    counter = (counter + 0x6d2b79f5) | 0;
    let bits = Math.imul(counter ^ (counter >>> 15), counter | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Choices by chance. */
export type Chance = {
  /** A whole number from 0 up to, but without, the bound. */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

/** Choices by chance that are the same for the same seed. */
export function chance(seed: number): Chance {
  const next = random(seed);
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from");
      return item;
    },
  };
}
