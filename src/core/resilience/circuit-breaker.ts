/** A request that may be made. Its sender must report the outcome. */
export interface Admitted {
  /** True for the single request that tests whether the dependency is back. */
  readonly isProbe: boolean;
  succeeded(): void;
  /** It answered too late. If this was a probe, the breaker stays open and probes again soon. */
  late(): void;
  failed(): void;
  /** The request was cancelled, which says nothing about the dependency. */
  calledOff(): void;
}

/** Blocks requests to a failing dependency, and lets a probe through now and then to test whether it is back. */
export interface CircuitBreaker {
  /** null: do not send a request now. */
  admit(): Admitted | null;
  /** True from the failure that opened the breaker until a probe succeeds. */
  isOpen(): boolean;
}

export interface CircuitBreakerOptions {
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** 0..1, so that many servers do not probe at the same moment. */
  readonly random: () => number;
}

/**
 * The breaker opens after this many consecutive failures, or if half of the last 20 requests, and at least this many,
 * failed.
 */
const FAILURES_MIN = 3;
const WINDOW = 20;
const FAILED_SHARE = 0.5;
/** First pause before a probe. Doubles after each failed probe. */
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
    // Half of the pause is fixed, the other half random.
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
