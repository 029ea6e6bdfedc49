const shortest = 1000;
const longest = 60_000;

/** How long to wait after so many failures in a row: doubling up to a minute, never in step with others. */
export function backoff(failures: number, random: () => number): number {
  const whole = Math.min(longest, shortest * 2 ** Math.max(0, failures - 1));
  return Math.round(whole * (1 - random() / 4));
}
