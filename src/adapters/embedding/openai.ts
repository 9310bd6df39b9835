import type { Embedder } from "../../core/embedding/embedder.ts";
import { DomainError } from "../../core/error.ts";
import { createCircuitBreaker } from "../../core/resilience/circuit-breaker.ts";
import { EmbeddingsApiError, type EmbeddingsEndpoint, postEmbeddings } from "./embeddings-api.ts";

/** Batches that common servers accept. A single text may be as long as a memory. */
const BATCH_TEXTS_MAX = 32;
const BATCH_CHARACTERS_MAX = 60_000;
/** Requests do not wait for a batch, but a waiting worker does nothing else. */
const BATCH_TIMEOUT_MS = 20_000;

/** A flapping provider is reported at most this often for each kind of failure. */
const TOLD_AGAIN_MS = 60_000;

/** Reports how a provider fails when that changes, and null when it answers again. */
function onceEach(tell: (why: string | null) => void): (why: string | null) => void {
  let told: string | null = null;
  const toldAt = new Map<string, number>();
  return (why) => {
    if (why === told) return;
    const now = performance.now();
    if (why !== null) {
      if (now - (toldAt.get(why) ?? Number.NEGATIVE_INFINITY) < TOLD_AGAIN_MS) return;
      toldAt.set(why, now);
    }
    told = why;
    tell(why);
  };
}

interface Options {
  readonly queryTimeoutMs: number;
  /**
   * Called with the reason for missing vectors, once per reason, and with null when it answers again. Never content.
   */
  readonly onChange?: (why: string | null) => void;
}

export interface RemoteEmbedder extends Embedder {
  /** True while it gets no requests, because it kept failing or asked for a pause. */
  isLeftAlone(): boolean;
  /** Requests one vector. Returns null if it works, otherwise the problem and whether the dimension is wrong. */
  check(): Promise<{ readonly problem: string; readonly isWrongDimension: boolean } | null>;
}

/**
 * An embedder that speaks OpenAI's embeddings API. Failures are retried if no request waits. A provider that keeps
 * failing, or asks for a pause, gets no requests meanwhile, and everything else continues.
 */
export function createOpenAiEmbedder(
  endpoint: EmbeddingsEndpoint,
  { queryTimeoutMs, onChange = () => {} }: Options,
): RemoteEmbedder {
  const note = onceEach(onChange);
  const breaker = createCircuitBreaker({ now: () => performance.now(), random: Math.random });
  let pausedUntil = 0;
  let asksForDimensions = false;

  async function request(texts: readonly string[], timeoutMs: number): Promise<Float32Array[]> {
    try {
      return await postEmbeddings(endpoint, texts, { timeoutMs, asksForDimensions });
    } catch (error) {
      if (!(error instanceof EmbeddingsApiError) || error.failure !== "dimension" || asksForDimensions)
        throw error;
      // The model's own number is another: one that can be shortened answers with ours when it is told so.
      const vectors = await postEmbeddings(endpoint, texts, { timeoutMs, asksForDimensions: true }).catch(
        () => null,
      );
      if (vectors === null) throw error;
      asksForDimensions = true;
      return vectors;
    }
  }

  /** Sends one request, unless the circuit breaker is open. */
  async function guarded(texts: readonly string[], timeoutMs: number, { waitsForProbe = true } = {}) {
    const left = pausedUntil - performance.now();
    if (left > 0) throw unavailable(left);
    const admitted = breaker.admit();
    if (admitted === null) throw unavailable();
    const asked = request(texts, timeoutMs).then(
      (vectors) => {
        admitted.succeeded();
        note(null);
        return vectors;
      },
      (error: unknown) => {
        // The provider is available, and accepts other texts.
        if (error instanceof EmbeddingsApiError && error.failure === "text") admitted.succeeded();
        else admitted.failed();
        const pause = error instanceof EmbeddingsApiError ? error.retryAfterMs : null;
        if (pause !== null) pausedUntil = performance.now() + pause;
        throw error;
      },
    );
    if (!admitted.isProbe || waitsForProbe) return asked;
    asked.catch(rethrown).catch(() => undefined);
    throw unavailable();
  }

  /** A text that is refused stays an error of its own: the provider is there, and takes others. */
  function rethrown(error: unknown): never {
    if (!(error instanceof EmbeddingsApiError) || error.failure === "text") throw error;
    note(error.message);
    throw unavailable(error.retryAfterMs ?? undefined, error);
  }

  const patiently = (texts: readonly string[]) => retried(() => guarded(texts, BATCH_TIMEOUT_MS));

  return {
    generation: { provider: "openai", model: endpoint.model, dimension: endpoint.dimensions },
    inProcess: false,
    isLeftAlone: () => breaker.isOpen() || pausedUntil > performance.now(),
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(texts)) {
        vectors.push(...(await embedEach(batch, patiently).catch(rethrown)));
      }
      return vectors;
    },
    async query(whole, sentences) {
      const texts = sentences.length === 1 && sentences[0] === whole ? [whole] : [whole, ...sentences];
      const vectors = await guarded(texts, queryTimeoutMs, { waitsForProbe: false }).catch(rethrown);
      const [first, ...rest] = vectors as [Float32Array, ...Float32Array[]];
      return () => ({ whole: first, sentences: rest.length > 0 ? rest : [first] });
    },
    async check() {
      try {
        await request(["memory"], queryTimeoutMs * 2);
        note(null);
        return null;
      } catch (error) {
        if (!(error instanceof EmbeddingsApiError)) throw error;
        const isWrongDimension = error.failure === "dimension";
        if (!isWrongDimension) note(error.message);
        return { problem: error.message, isWrongDimension };
      }
    },
  };
}

function* batchesOf(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (
      batch.length === BATCH_TEXTS_MAX ||
      (batch.length > 0 && characters + text.length > BATCH_CHARACTERS_MAX)
    ) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}

function unavailable(retryAfterMs?: number, cause?: unknown): DomainError {
  return new DomainError("dependency_unavailable", "The embedding provider is not available.", {
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
    cause,
  });
}

/** A provider that refuses a text this short does not refuse it for its length. */
const SHORTENED_CHARACTERS_MIN = 256;

type Embed = (texts: readonly string[]) => Promise<Float32Array[]>;

/**
 * Vectors of all texts, by a provider that refuses a whole batch for one text that is too long for it: the batch is
 * halved until only that text is left, and the text until it fits. Its beginning then represents it.
 */
async function embedEach(texts: readonly string[], embed: Embed): Promise<Float32Array[]> {
  try {
    return await embed(texts);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await requireWilling(embed);
    return divided(texts, embed, error);
  }
}

async function divided(texts: readonly string[], embed: Embed, refusal: unknown): Promise<Float32Array[]> {
  const [only] = texts;
  if (only === undefined) return [];
  const parts = texts.length > 1 ? halves(texts) : [[shortened(only, refusal)]];
  const vectors: Float32Array[] = [];
  for (const part of parts) {
    const made = await embed(part).catch((error: unknown) => {
      if (!isRefused(error)) throw error;
      return divided(part, embed, error);
    });
    vectors.push(...made);
  }
  return vectors;
}

function halves(texts: readonly string[]): string[][] {
  const middle = Math.ceil(texts.length / 2);
  return [texts.slice(0, middle), texts.slice(middle)];
}

function shortened(text: string, refusal: unknown): string {
  if (text.length <= SHORTENED_CHARACTERS_MIN) throw refusal;
  const half = text.slice(0, Math.ceil(text.length / 2));
  // Not between the halves of a surrogate pair.
  return half.replace(/[\uD800-\uDBFF]$/, "");
}

/**
 * A provider that refuses every text, for example because of a wrong model, counts as unavailable; the texts are not at
 * fault.
 */
async function requireWilling(embed: Embed): Promise<void> {
  await embed(["memory"]).catch((error: unknown) => {
    throw isRefused(error)
      ? new EmbeddingsApiError(
          "unintelligible",
          "The embedding provider refuses every text: check the model's name.",
        )
      : error;
  });
}

function isRefused(error: unknown): boolean {
  return error instanceof EmbeddingsApiError && error.failure === "text";
}

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 250;
/** Longer pauses are not waited for here: the next attempt at the text asks again. */
const RETRY_AFTER_MAX_MS = 5000;
/** Avoids a request just before the pause is over. */
const GRACE_MS = 50;

/** Retries temporary failures, after the pause that the provider asks for, or else with backoff. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = pauseAfter(error, attempt);
      if (pauseMs === null || attempt === ATTEMPTS_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function pauseAfter(error: unknown, attempt: number): number | null {
  if (!(error instanceof EmbeddingsApiError)) return null;
  if (!["away", "slow", "limited", "unintelligible"].includes(error.failure)) return null;
  if (error.retryAfterMs === null) return PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  return error.retryAfterMs <= RETRY_AFTER_MAX_MS ? error.retryAfterMs + GRACE_MS : null;
}
