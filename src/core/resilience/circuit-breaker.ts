/** A request that may be made. Its maker says what became of it. */
export interface Admitted {
  /** The one request that finds out whether the dependency is back. */
  readonly isProbe: boolean;
  succeeded(): void;
  /** It answered later than a request waits for it: where it was being probed it is left alone, and probed again soon. */
  late(): void;
  failed(): void;
  /** It says nothing of the dependency. */
  calledOff(): void;
}

/** Keeps requests from a dependency that fails, and lets one through now and then to see whether it is back. */
export interface CircuitBreaker {
  /** null: leave it alone for now. */
  admit(): Admitted | null;
  /** True from the failure too many until a probe succeeds. */
  isOpen(): boolean;
}

export interface CircuitBreakerOptions {
  /** Milliseconds that only rise. */
  readonly now: () => number;
  /** 0..1, so that many servers do not come back at the same moment. */
  readonly random: () => number;
}

/** So many failures in a row, or half of the last twenty requests and no fewer: it is left alone. */
const FAILURES_MIN = 3;
const WINDOW = 20;
const FAILED_SHARE = 0.5;
/** Left alone for so long at first, twice as long after each probe that fails. */
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 5000;

type State =
  | { readonly kind: "closed"; readonly outcomes: readonly boolean[] }
  | {
      readonly kind: "open";
      readonly until: number;
      readonly failedProbes: number;
      readonly isProbing: boolean;
    };

const CLOSED: State = { kind: "closed", outcomes: [] };

function isFailing(outcomes: readonly boolean[]): boolean {
  const failures = outcomes.filter((outcome) => !outcome).length;
  if (failures < FAILURES_MIN) return false;
  const isDown = outcomes.slice(-FAILURES_MIN).every((outcome) => !outcome);
  return isDown || failures >= outcomes.length * FAILED_SHARE;
}

/** A breaker that opens on a share of failures and closes on the first probe that succeeds. */
export function createCircuitBreaker({ now, random }: CircuitBreakerOptions): CircuitBreaker {
  let state: State = CLOSED;

  function opened(failedProbes: number): State {
    // Half of the pause for certain, half by chance.
    const pause = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** failedProbes) * (0.5 + random() / 2);
    return { kind: "open", until: now() + pause, failedProbes, isProbing: false };
  }

  /** A call that ends while the breaker is open began before it opened, and is ignored. */
  function note(hasSucceeded: boolean): void {
    if (state.kind === "open") return;
    const outcomes = [...state.outcomes, hasSucceeded].slice(-WINDOW);
    state = isFailing(outcomes) ? opened(0) : { kind: "closed", outcomes };
  }

  return {
    isOpen: () => state.kind === "open",
    admit() {
      if (state.kind === "closed") {
        const succeeded = () => note(true);
        return { isProbe: false, succeeded, late: succeeded, failed: () => note(false), calledOff() {} };
      }
      if (state.isProbing || now() < state.until) return null;
      const { failedProbes } = state;
      const before = state;
      state = { ...before, isProbing: true };
      return {
        isProbe: true,
        succeeded() {
          state = CLOSED;
        },
        failed() {
          state = opened(failedProbes + 1);
        },
        late() {
          state = opened(0);
        },
        calledOff() {
          state = before;
        },
      };
    },
  };
}
