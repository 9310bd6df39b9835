import type { StoreRequest } from "../../contract/memory.ts";
import { encodeVectors, type StoredVectors } from "../../recall/index/vector-bytes.ts";
import type { Embedder } from "../embedding/embedder.ts";
import { embedPassages } from "../embedding/embedder.ts";

/** The vectors that a write stores, and whether the caller or the service made them. */
export interface ChosenVector {
  /**
   * One for each passage, or the caller's single one for the first passage. null: the worker embeds the memory after
   * the write.
   */
  readonly vectors: StoredVectors | null;
  /**
   * Set if the caller gave an embedding: whether it is used, and if not, why. A caller's embedding is used for search,
   * but never to decide that two memories are duplicates.
   */
  readonly used?: "caller" | "service";
  readonly reason?: string;
}

type Given = Pick<
  StoreRequest,
  "embedding" | "embedding_provider" | "embedding_model" | "embedding_dimension"
>;

/**
 * The caller's embedding if it matches the index's generation and the stored text, otherwise the service's own.
 * `isContentMasked`: the stored text differs from the text that the caller embedded.
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

/** The service's own vectors, if the embedder runs in this process; null leaves the embedding to the worker. */
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
