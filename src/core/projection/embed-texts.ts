import type { Embedder } from "../embedding/embedder.ts";
import { encodeVector } from "../embedding/vector-bytes.ts";
import { DomainError } from "../error.ts";

/** A text's vector as it is stored, or why there is none: the embedder is away, or refuses this text. */
export type Embedded =
  | { readonly kind: "vector"; readonly vector: Uint8Array }
  | { readonly kind: "away" }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Embeds texts, in order. Where the embedder refuses a batch, the batch is halved until the refused text is by itself, so
 * that the others do not wait for it.
 */
export async function embedTexts(embedder: Embedder, texts: readonly string[]): Promise<Embedded[]> {
  if (texts.length === 0) return [];
  try {
    const vectors = await embedder.embed(texts);
    return texts.map((_, at) => encoded(vectors[at]));
  } catch (error) {
    if (error instanceof DomainError && error.code === "dependency_unavailable")
      return texts.map(() => ({ kind: "away" }));
    if (texts.length === 1) return [{ kind: "refused", reason: `embedder: ${classOf(error)}` }];
  }
  const middle = Math.ceil(texts.length / 2);
  const first = await embedTexts(embedder, texts.slice(0, middle));
  return [...first, ...(await embedTexts(embedder, texts.slice(middle)))];
}

function encoded(vector: Float32Array | undefined): Embedded {
  try {
    if (vector) return { kind: "vector", vector: encodeVector(vector) };
    return { kind: "refused", reason: "embedder: no vector" };
  } catch {
    return { kind: "refused", reason: "embedder: not finite" };
  }
}

/** Only the error's name: its message may quote the text. */
function classOf(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  return error instanceof Error ? error.name : "unknown";
}
