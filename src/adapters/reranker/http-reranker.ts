import { DomainError } from "../../core/error.ts";
import { type After, createPlaces } from "../../core/limits/places.ts";
import type { Reranker, RerankRequest } from "../../core/recall/reranker.ts";
import { createCircuitBreaker } from "../../core/resilience/circuit-breaker.ts";
import { postRerank, RerankApiError, type RerankEndpoint } from "./rerank-api.ts";

/** The default batch limit of text-embeddings-inference. */
const BATCH_TEXTS_MAX = 32;

/** Maximum number of concurrent requests. A self-hosted server has few cores or one GPU, and queues the rest. */
const RUNNING_MAX = 8;
/** Maximum for one party, so that others get a slot. */
const RUNNING_PER_PARTY_MAX = 4;
const WAITING_MAX = 64;
const WAITING_PER_PARTY_MAX = 16;

interface HttpRerankerOptions {
  readonly candidatesMax: number;
  /** How long a query waits for its scores, including the wait for a slot. */
  readonly timeoutMs: number;
  readonly after: After;
  /** Called with the reason when it stops getting requests, and with null when it answers again. Never content. */
  readonly onChange: (why: string | null) => void;
}

/**
 * A reranker over HTTP. One that keeps failing, or asks for a pause, gets no requests meanwhile; a probe that no
 * request waits for tests whether it is back.
 */
export function createHttpReranker(
  endpoint: RerankEndpoint,
  options: HttpRerankerOptions,
): Reranker & { isLeftAlone(): boolean } {
  const { candidatesMax, timeoutMs, after, onChange } = options;
  const breaker = createCircuitBreaker({ now: () => performance.now(), random: Math.random });
  const places = createPlaces(
    {
      perCredential: RUNNING_PER_PARTY_MAX,
      perMember: RUNNING_PER_PARTY_MAX,
      perParty: RUNNING_PER_PARTY_MAX,
      total: RUNNING_MAX,
      waitingPerParty: WAITING_PER_PARTY_MAX,
      waitingTotal: WAITING_MAX,
      waitMs: timeoutMs,
    },
    after,
  );
  let pausedUntil = 0;
  let isLeftAlone = false;

  function note(why: string | null): void {
    if (breaker.isOpen() === isLeftAlone) return;
    isLeftAlone = breaker.isOpen();
    onChange(isLeftAlone ? why : null);
  }

  /** Returns the scores; null while the circuit breaker is open. */
  async function guarded({ query, passages }: RerankRequest, signal: AbortSignal): Promise<number[] | null> {
    if (pausedUntil > performance.now()) return null;
    const admitted = breaker.admit();
    if (admitted === null) return null;
    const asked = judged(endpoint, query, passages, signal).then(
      (scores) => {
        admitted.succeeded();
        note(null);
        return scores;
      },
      (error: unknown) => {
        admitted.failed();
        if (!(error instanceof RerankApiError)) throw error;
        if (error.retryAfterMs !== null) pausedUntil = performance.now() + error.retryAfterMs;
        note(error.message);
        return null;
      },
    );
    if (!admitted.isProbe) return asked;
    asked.catch(() => undefined);
    return null;
  }

  return {
    candidatesMax,
    isLeftAlone: () => breaker.isOpen() || pausedUntil > performance.now(),
    async rerank(request) {
      const signal = AbortSignal.timeout(timeoutMs);
      const leave = await places
        .take({ credential: null, party: request.party }, signal)
        .catch(nullWhereRefused);
      if (leave === null) return null;
      try {
        return await guarded(request, signal);
      } finally {
        leave();
      }
    },
  };
}

/** There was no place in time. */
function nullWhereRefused(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}

/** Scores the batches concurrently, since each pair of query and text is scored independently. */
async function judged(
  endpoint: RerankEndpoint,
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[]> {
  const batches: (readonly string[])[] = [];
  for (let at = 0; at < texts.length; at += BATCH_TEXTS_MAX)
    batches.push(texts.slice(at, at + BATCH_TEXTS_MAX));
  const scores = await Promise.all(batches.map((batch) => postRerank(endpoint, query, batch, signal)));
  return scores.flat();
}

/** Sends a test request. Returns null if it works, otherwise the problem. */
export async function problemWith(endpoint: RerankEndpoint, withinMs: number): Promise<string | null> {
  try {
    await postRerank(endpoint, "memory", ["memory"], AbortSignal.timeout(withinMs));
    return null;
  } catch (error) {
    if (error instanceof RerankApiError) return error.message;
    throw error;
  }
}
