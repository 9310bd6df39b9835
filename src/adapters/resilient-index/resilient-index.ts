import { createCircuitBreaker } from "../../core/resilience/circuit-breaker.ts";
import { IndexUnavailable, UNAVAILABLE, type Unavailability } from "../../recall/index/index-unavailable.ts";
import type { CandidateRequest, CandidateSet, RecallIndex } from "../../recall/index/recall-index.ts";

/** Nobody waits for a probe, and an engine that has just started is slow at first. */
export const PROBE_PATIENCE = 5;

export interface ResilientIndexOptions {
  /** The index that should answer. */
  readonly engine: RecallIndex;
  /** The one that answers where it cannot. */
  readonly fallback: RecallIndex;
  /** Why the engine cannot be asked at all now, in a few words; null: it can. */
  readonly notReady: () => string | null;
  /** How long an answer of the engine is waited for. */
  readonly timeoutMs: number;
  /** Unavailability of the engine that an error shows; null for errors of other origin. */
  readonly unavailabilityOf: (error: unknown) => Unavailability | null;
  /** Told when the engine is given up, for another reason than before, or is back (null). */
  readonly onChange: (why: string | null) => void;
  /**
   * Told of errors that are not the engine's, but ours or the record's, and of those that there is no other word for.
   */
  readonly onFault: (error: unknown) => void;
}

export interface ResilientIndex extends RecallIndex {
  /** Why the engine does not answer now, in a few words; null where it does. */
  outage(): string | null;
}

/**
 * An index that always answers: by the engine, or where that is away, slow, broken or not built by the fallback, saying
 * so. An engine that keeps failing is left alone, and found again by a request in the background: nobody waits for it.
 */
export function createResilientIndex(options: ResilientIndexOptions): ResilientIndex {
  const { engine, fallback, notReady, timeoutMs, unavailabilityOf, onChange, onFault } = options;
  const breaker = createCircuitBreaker({ now: () => performance.now(), random: Math.random });
  let lastFailure: string = UNAVAILABLE.away;
  let told: string | null = null;

  const outage = () => notReady() ?? (breaker.isOpen() ? lastFailure : null);

  function tell(): void {
    const why = outage();
    if (why === told) return;
    told = why;
    onChange(why);
  }

  /** The engine's answer, or why there is none. */
  async function asked({
    pace: _,
    onRead: __,
    ...request
  }: CandidateRequest): Promise<CandidateSet | string> {
    // Without its pace: while others have their turn the engine's deadline would go by, and it would seem slow.
    const why = notReady();
    if (why !== null) return why;
    const admitted = breaker.admit();
    if (admitted === null) return lastFailure;
    const patience = admitted.isProbe ? timeoutMs * PROBE_PATIENCE : timeoutMs;
    const askedAt = performance.now();
    const asking = within(patience, (signal) => engine.candidates(request, signal)).then(
      (set) => {
        // An engine that only a probe has the patience for would let every request wait in vain.
        const isLate = performance.now() - askedAt > timeoutMs;
        if (isLate) lastFailure = UNAVAILABLE.slow;
        admitted[isLate ? "late" : "succeeded"]();
        tell();
        return set;
      },
      (error: unknown) => {
        const reason = unavailabilityOf(error);
        if (reason === null) {
          admitted.calledOff();
          onFault(error);
          return UNAVAILABLE.failed;
        }
        if (reason === "failed") onFault(error);
        lastFailure = UNAVAILABLE[reason];
        admitted.failed();
        return lastFailure;
      },
    );
    return admitted.isProbe ? lastFailure : asking;
  }

  return {
    outage,
    async candidates(request) {
      const answer = await asked(request);
      tell();
      if (typeof answer !== "string") return answer;
      const set = await fallback.candidates(request);
      return { ...set, degraded: [`search engine: ${answer}`, ...set.degraded] };
    },
    async refresh(owners) {
      await Promise.all([engine.refresh(owners), fallback.refresh(owners)]);
    },
  };
}

/**
 * Resolves to the result of `work` within that time, or rejects with `IndexUnavailable` ("slow"): even where the work
 * does not heed the signal that tells it to stop.
 */
async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new IndexUnavailable("slow"));
      limit.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(limit.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
