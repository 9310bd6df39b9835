import { encodeVectors, type StoredVectors } from "../../recall/index/vector-bytes.ts";
import type { Embedder } from "../embedding/embedder.ts";
import { embedPassages } from "../embedding/embedder.ts";
import { DomainError } from "../error.ts";

/** The vectors of a text's passages, or why there are none: the embedder is unreachable or refuses this text. */
export type Embedded =
  | { readonly kind: "vectors"; readonly vectors: StoredVectors }
  | { readonly kind: "away" }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Embeds texts and returns the results in the same order. If the embedder refuses a batch, the batch is halved until
 * the refused text is isolated, so that it does not block the others.
 */
export async function embedTexts(embedder: Embedder, texts: readonly string[]): Promise<Embedded[]> {
  if (texts.length === 0) return [];
  try {
    return (await embedPassages(embedder, texts)).map(encoded);
  } catch (error) {
    if (error instanceof DomainError && error.code === "dependency_unavailable")
      return texts.map(() => ({ kind: "away" }));
    if (texts.length === 1) return [{ kind: "refused", reason: `embedder: ${classOf(error)}` }];
  }
  const middle = Math.ceil(texts.length / 2);
  const first = await embedTexts(embedder, texts.slice(0, middle));
  return [...first, ...(await embedTexts(embedder, texts.slice(middle)))];
}

function encoded(vectors: readonly Float32Array[]): Embedded {
  if (vectors.length === 0) return { kind: "refused", reason: "embedder: no vector" };
  try {
    return { kind: "vectors", vectors: encodeVectors(vectors) };
  } catch {
    return { kind: "refused", reason: "embedder: not finite" };
  }
}

/** Only the error's name, since its message may quote the text. */
function classOf(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  return error instanceof Error ? error.name : "unknown";
}
