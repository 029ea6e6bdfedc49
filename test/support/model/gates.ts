/** Named gates that hold answers until a test opens them; an opened gate stays open. */
export type Gates = {
  open(name: string): void;
  /** Resolves as soon as an answer is held at this gate. */
  reached(name: string): Promise<void>;
  /** Waits until the gate is open or the asker has gone away. */
  pass(name: string, gone: AbortSignal): Promise<void>;
};

/** Gates that are all shut. */
export function createGates(): Gates {
  const gates = new Map<string, { opened: Latch; reached: Latch }>();
  const gate = (name: string) => {
    const known = gates.get(name) ?? { opened: latch(), reached: latch() };
    gates.set(name, known);
    return known;
  };
  return {
    open: (name) => gate(name).opened.release(),
    reached: (name) => gate(name).reached.released,
    async pass(name, gone) {
      gate(name).reached.release();
      await Promise.race([gate(name).opened.released, aborted(gone)]);
    },
  };
}

/** Resolves when a signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

type Latch = { released: Promise<void>; release: () => void };

function latch(): Latch {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}
