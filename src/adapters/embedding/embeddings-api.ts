import { z } from "zod";
import { answeredWith, notReached, retryAfterMs } from "../../core/resilience/provider-failure.ts";

/** Address and parameters of a provider that speaks OpenAI's embeddings API. */
export interface EmbeddingsEndpoint {
  /** Without a trailing slash; `/embeddings` is appended. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | null;
  readonly dimensions: number;
}

/**
 * A provider's failure. `text`: it refuses the text; `limited`: too many requests; `dimension`: its vectors have
 * another dimension.
 */
export type ApiFailure =
  | "away"
  | "slow"
  | "limited"
  | "credentials"
  | "text"
  | "dimension"
  | "unintelligible";

/** A request for vectors that failed. The message holds neither what was sent nor what was answered. */
export class EmbeddingsApiError extends Error {
  override readonly name = "EmbeddingsApiError";
  readonly failure: ApiFailure;
  /** The pause that the provider asks for; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(failure: ApiFailure, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

const answerShape = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});

/**
 * One request: a normalised vector for each text, in order. `asksForDimensions` tells the provider how many dimensions
 * to answer with, which only models that can be shortened take.
 */
export async function postEmbeddings(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  { timeoutMs, asksForDimensions }: { readonly timeoutMs: number; readonly asksForDimensions: boolean },
): Promise<Float32Array[]> {
  const { baseUrl, model, apiKey, dimensions } = endpoint;
  const signal = AbortSignal.timeout(timeoutMs);
  let answer: Response;
  let body: unknown;
  try {
    answer = await fetch(`${baseUrl}/embeddings`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, ...(asksForDimensions ? { dimensions } : {}) }),
      // The key must not be sent to any other address.
      redirect: "error",
      signal,
    });
    body = await answer.json().catch((error: unknown) => {
      if (signal.aborted) throw error;
      return null;
    });
  } catch (failure) {
    if (signal.aborted)
      throw new EmbeddingsApiError("slow", "The embedding provider did not answer in time.");
    throw new EmbeddingsApiError("away", notReached("The embedding provider", failure));
  }
  if (!answer.ok) throw failureOf(answer);
  return vectorsOf(body, texts.length, dimensions);
}

function failureOf({ status, headers }: Response): EmbeddingsApiError {
  const after = retryAfterMs(headers.get("retry-after"), Date.now());
  const said = answeredWith("The embedding provider", status);
  if (status === 401 || status === 403) return new EmbeddingsApiError("credentials", said, after);
  if (status === 429) return new EmbeddingsApiError("limited", said, after);
  if (status === 400 || status === 413 || status === 422) return new EmbeddingsApiError("text", said);
  return new EmbeddingsApiError("away", said, after);
}

function vectorsOf(body: unknown, count: number, dimensions: number): Float32Array[] {
  const parsed = answerShape.safeParse(body);
  if (!parsed.success || parsed.data.data.length !== count) throw unintelligible();
  const vectors: Float32Array[] = new Array(count);
  for (const { index, embedding } of parsed.data.data) {
    if (index >= count || vectors[index]) throw unintelligible();
    if (embedding.length !== dimensions) {
      throw new EmbeddingsApiError(
        "dimension",
        `The embedding provider answers with ${embedding.length} dimensions, and EMBEDDING_DIMENSIONS says ${dimensions}.`,
      );
    }
    vectors[index] = normalised(embedding);
  }
  return vectors;
}

function normalised(values: readonly number[]): Float32Array {
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(norm) || norm === 0) throw unintelligible();
  return Float32Array.from(values, (value) => value / norm);
}

function unintelligible(): EmbeddingsApiError {
  return new EmbeddingsApiError("unintelligible", "The embedding provider's answer was not understood.");
}
