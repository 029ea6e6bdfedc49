/** Waits for something to be so. */
export type Until = <T>(check: () => T | undefined | false, what: string) => Promise<T>;

/** Lets tests wait for a condition, checked again on every change; after `patienceMs` it fails and says what was there. */
export function createWaiting(patienceMs: number, describe: () => string) {
  const checks = new Set<() => void>();
  const abandon = new Set<(why: Error) => void>();

  const until: Until = (check, what) =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        checks.delete(look);
        abandon.delete(fail);
        act();
      };
      const fail = (why: Error): void => settle(() => reject(why));
      const look = (): void => {
        try {
          const found = check();
          if (found !== undefined && found !== false) settle(() => resolve(found));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const timer = setTimeout(
        () => fail(new Error(`Waited ${patienceMs} ms in vain for ${what}.\n${describe()}`)),
        patienceMs,
      );
      checks.add(look);
      abandon.add(fail);
      look();
    });

  return {
    until,
    /** Checks every condition again. */
    changed(): void {
      for (const look of checks) look();
    },
    /** Fails all who still wait. */
    end(): void {
      for (const fail of abandon) fail(new Error("The simulator was closed"));
    },
  };
}
