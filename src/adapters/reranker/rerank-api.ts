import { z } from "zod";
import { answeredWith, notReached, retryAfterMs } from "../../core/resilience/provider-failure.ts";

/** Address and protocol of a cross-encoder's server. */
export interface RerankEndpoint {
  /**
   * `tei`: text-embeddings-inference. `cohere`: the API of Cohere, which Jina, vLLM and infinity have as well. A
   * model is named in the second alone.
   */
  readonly provider: "tei" | "cohere";
  /** Without a trailing slash; `/rerank` is appended. */
  readonly baseUrl: string;
  readonly model: string | null;
  readonly apiKey: string | null;
}

/** A failed rerank request. The message holds neither what was sent nor what was answered. */
export class RerankApiError extends Error {
  override readonly name = "RerankApiError";
  /** The pause that the server asks for; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The request and response format of each protocol. */
interface Protocol {
  body(endpoint: RerankEndpoint, query: string, texts: readonly string[]): object;
  readonly answer: z.ZodType<readonly Judgement[]>;
}

interface Judgement {
  /** Index of the text, from 0. */
  readonly index: number;
  readonly score: number;
}

const index = z.int().min(0);

const PROTOCOLS: Readonly<Record<RerankEndpoint["provider"], Protocol>> = {
  tei: {
    // The server truncates, since only it knows its model's limit.
    body: (_, query, texts) => ({ query, texts, truncate: true }),
    answer: z.array(z.object({ index, score: z.number() })),
  },
  cohere: {
    body: ({ model }, query, documents) => ({ model, query, documents, top_n: documents.length }),
    answer: z
      .object({ results: z.array(z.object({ index, relevance_score: z.number() })) })
      .transform(({ results }) =>
        results.map(({ index, relevance_score }) => ({ index, score: relevance_score })),
      ),
  },
};

/** Large enough for the texts, which some servers send back. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** One request: a finite number for each text, in order. Rejects with `RerankApiError`. */
export async function postRerank(
  endpoint: RerankEndpoint,
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[]> {
  const { body, answer: shape } = PROTOCOLS[endpoint.provider];
  let text: string | null;
  try {
    const answer = await fetch(`${endpoint.baseUrl}/rerank`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(endpoint.apiKey === null ? {} : { authorization: `Bearer ${endpoint.apiKey}` }),
      },
      body: JSON.stringify(body(endpoint, query, texts)),
      // Texts and the key must not be sent to any other address.
      redirect: "error",
      signal,
    });
    if (!answer.ok) throw await refusal(answer);
    text = await textWithin(answer, ANSWER_BYTES_MAX);
  } catch (error) {
    if (error instanceof RerankApiError) throw error;
    if (signal.aborted) throw new RerankApiError("The reranker did not answer in time.");
    throw new RerankApiError(notReached("The reranker", error));
  }
  return scoresOf(shape.safeParse(parsed(text)).data, texts.length);
}

async function refusal(answer: Response): Promise<RerankApiError> {
  await answer.body?.cancel();
  const after = retryAfterMs(answer.headers.get("retry-after"), Date.now());
  return new RerankApiError(answeredWith("The reranker", answer.status), after);
}

/** Reads the body; null if it is longer than the limit. */
async function textWithin(answer: Response, bytesMax: number): Promise<string | null> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > bytesMax) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns exactly one number for each text. */
function scoresOf(judgements: readonly Judgement[] | undefined, count: number): number[] {
  const scores = new Map(judgements?.map(({ index, score }) => [index, score]));
  const inOrder = Array.from({ length: count }, (_, at) => scores.get(at));
  if (judgements?.length === count && inOrder.every((score) => score !== undefined)) return inOrder;
  throw new RerankApiError("The reranker's answer was not understood.");
}
