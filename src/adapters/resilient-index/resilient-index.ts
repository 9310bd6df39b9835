import { createCircuitBreaker } from "../../core/resilience/circuit-breaker.ts";
import { IndexUnavailable, UNAVAILABLE, type Unavailability } from "../../recall/index/index-unavailable.ts";
import type { CandidateRequest, CandidateSet, RecallIndex } from "../../recall/index/recall-index.ts";

/** Multiplies the timeout for probes. No request waits for a probe, and an engine that has just started is slow. */
export const PROBE_PATIENCE = 5;

export interface ResilientIndexOptions {
  /** The index to ask first. */
  readonly engine: RecallIndex;
  /** The index that answers if the engine cannot. */
  readonly fallback: RecallIndex;
  /** Returns in a few words why the engine cannot be used now; null if it can. */
  readonly notReady: () => string | null;
  /** How long to wait for the engine's answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Classifies an error of the engine. null for errors of other origin. */
  readonly unavailabilityOf: (error: unknown) => Unavailability | null;
  /** Called when the engine becomes unavailable, when the reason changes, and when the engine is back (null). */
  readonly onChange: (why: string | null) => void;
  /** Called with errors of this service or of the record, and with engine errors that are only known as "failed". */
  readonly onFault: (error: unknown) => void;
}

export interface ResilientIndex extends RecallIndex {
  /** Why the engine does not answer now, in a few words; null if it does. */
  outage(): string | null;
}

/**
 * Creates an index that always answers. If the engine is away, slow, broken or not built, the fallback answers, and the
 * answer says so. An engine that keeps failing gets no more requests until a probe in the background succeeds. No
 * request waits for the probe.
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

  /** Returns the engine's answer, or the reason why there is none. */
  async function asked({
    pace: _,
    onRead: __,
    ...request
  }: CandidateRequest): Promise<CandidateSet | string> {
    // The engine gets no `pace`: while it yields to others, its deadline would pass and it would seem slow.
    const why = notReady();
    if (why !== null) return why;
    const admitted = breaker.admit();
    if (admitted === null) return lastFailure;
    const patience = admitted.isProbe ? timeoutMs * PROBE_PATIENCE : timeoutMs;
    const askedAt = performance.now();
    const asking = within(patience, (signal) => engine.candidates(request, signal)).then(
      (set) => {
        // Do not reopen an engine that only meets the longer timeout of a probe: every request would time out.
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
 * Resolves to the result of `work` within that time, or rejects with `IndexUnavailable` ("slow"), even if `work`
 * ignores the abort signal.
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
