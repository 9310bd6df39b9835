import type { StoreRequest } from "../../contract/memory.ts";
import { encodeVectors, type StoredVectors } from "../../recall/index/vector-bytes.ts";
import { embedPassages } from "../embedding/embed-passages.ts";
import type { Embedder } from "../embedding/embedder.ts";

/** The vectors a write stores, and whose they are. */
export interface ChosenVector {
  /** One for each passage, or the caller's one, which stands for the first. null: it is embedded after the write, by the worker. */
  readonly vectors: StoredVectors | null;
  /**
   * Set where the caller gave an embedding: whether it is used, and why not. The caller's is searched by and never says
   * that two memories are the same.
   */
  readonly used?: "caller" | "service";
  readonly reason?: string;
}

type Given = Pick<
  StoreRequest,
  "embedding" | "embedding_provider" | "embedding_model" | "embedding_dimension"
>;

/**
 * The caller's embedding where it is of the index's generation and of the text that is stored, else the service's own.
 * `isContentMasked`: the caller saw another text.
 */
export async function chooseVector(
  embedder: Embedder,
  given: Given,
  { content, isContentMasked }: { readonly content: string; readonly isContentMasked: boolean },
): Promise<ChosenVector> {
  if (!given.embedding) return embedNow(embedder, content);
  const why = isContentMasked
    ? "the embedding is of the text before masking, so the service embedded the content itself"
    : whyUnusable(embedder, given, given.embedding);
  if (why) return { ...(await embedNow(embedder, content)), used: "service", reason: why };
  return { vectors: encodeVectors([normalized(given.embedding)]), used: "caller" };
}

/** The service's own vectors where that takes no waiting; null leaves it to the worker. */
export async function embedNow(embedder: Embedder, content: string): Promise<ChosenVector> {
  if (!embedder.inProcess) return { vectors: null };
  const [vectors = []] = await embedPassages(embedder, [content]);
  return { vectors: vectors.length > 0 ? encodeVectors(vectors) : null };
}

function whyUnusable(embedder: Embedder, given: Given, embedding: readonly number[]): string | null {
  const { provider, model, dimension } = embedder.generation;
  if (given.embedding_model !== model || (given.embedding_provider ?? provider) !== provider) {
    return `the index uses ${provider}/${model}, so the service embedded the content itself`;
  }
  if (embedding.length !== dimension || (given.embedding_dimension ?? dimension) !== dimension) {
    return `the index uses ${dimension} dimensions, so the service embedded the content itself`;
  }
  const isUsable = Number.isFinite(norm(embedding)) && norm(embedding) > 0;
  return isUsable ? null : "the embedding has no direction, so the service embedded the content itself";
}

function norm(vector: readonly number[]): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

function normalized(vector: readonly number[]): Float32Array {
  const length = norm(vector);
  return Float32Array.from(vector, (value) => value / length);
}
