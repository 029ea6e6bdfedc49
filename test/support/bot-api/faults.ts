/** What can go wrong with a call. `reset_after`: the call took effect, but its answer is lost. */
export type Fault =
  | { kind: "429"; retryAfter?: number }
  | { kind: "500" }
  | { kind: "502html" }
  | { kind: "reset_before" }
  | { kind: "reset_after" }
  /** Never answered: the connection stays open until the client gives up. */
  | { kind: "hang" }
  | { kind: "slow"; ms: number }
  | { kind: "error"; code: number; description: string };

/** Which calls a fault strikes: `times` of them (1 unless told), only those `when` accepts. */
type FaultScope = { times?: number; when?: (params: Record<string, unknown>) => boolean };

/** Faults that need no number can be named by their kind alone. */
export type FaultGiven = (Fault & FaultScope) | Exclude<Fault["kind"], "slow" | "error">;

/** The faults that wait for their calls; the oldest that fits strikes first. */
export type Faults = {
  /** The next call of the method fails so; `*` is any method. */
  next(method: string, fault: FaultGiven): void;
  /** Every call of the method fails so, until `clear`. */
  always(method: string, fault: FaultGiven): void;
  clear(method?: string): void;
};

/** Makes an empty list of faults, and the way for the dispatcher to take from it. */
export function createFaults(): {
  faults: Faults;
  strike: (method: string, params: Record<string, unknown>) => Fault | undefined;
} {
  let waiting: Waiting[] = [];

  function add(method: string, given: FaultGiven, times: number): void {
    const fault = typeof given === "string" ? { kind: given } : given;
    waiting.push({
      method: method.toLowerCase(),
      fault,
      left: times,
      when: "when" in fault ? fault.when : undefined,
    });
  }

  return {
    faults: {
      next: (method, fault) => add(method, fault, typeof fault === "string" ? 1 : (fault.times ?? 1)),
      always: (method, fault) => add(method, fault, Number.POSITIVE_INFINITY),
      clear(method) {
        waiting =
          method === undefined ? [] : waiting.filter((entry) => entry.method !== method.toLowerCase());
      },
    },
    strike(method, params) {
      const hit = waiting.find(
        (entry) =>
          (entry.method === "*" || entry.method === method.toLowerCase()) && (entry.when?.(params) ?? true),
      );
      if (hit === undefined) return undefined;
      hit.left -= 1;
      if (hit.left <= 0) waiting = waiting.filter((entry) => entry !== hit);
      return hit.fault;
    },
  };
}

type Waiting = { method: string; fault: Fault; left: number; when: FaultScope["when"] };
