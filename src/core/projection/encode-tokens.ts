import { type PackedTokens, packTokens } from "../../recall/index/packed-tokens.ts";
import { passageTexts } from "../../recall/language/passages.ts";
import type { TokenEncoder } from "../embedding/token-encoder.ts";
import type { EncodedMemory, ModelBacklog } from "./encode-later.ts";
import type { Unembedded } from "./reembed.ts";

/** A memory's token vectors, by passage. */
export interface EncodedTokens extends EncodedMemory {
  readonly passages: readonly PackedTokens[];
}

export interface TokenBacklog extends ModelBacklog<EncodedTokens> {
  count(): Promise<number>;
}

/**
 * Maximum number of passages per memory that get token vectors: some 25,000 characters, and at most 260 kB of vectors.
 */
const ENCODED_PASSAGES_MAX = 16;

/** The token vectors of a memory's first passages. */
export async function encodePassages(encoder: TokenEncoder, content: string): Promise<PackedTokens[]> {
  const vectors = await encoder.encode(passageTexts(content).slice(0, ENCODED_PASSAGES_MAX));
  return vectors.map((one) => packTokens(one, encoder.generation.dimension));
}

/** The token vectors of a memory. */
export async function encodeTokens(
  encoder: TokenEncoder,
  { ownerId, memory, revision, content }: Unembedded,
): Promise<EncodedTokens> {
  return { ownerId, memory, revision, passages: await encodePassages(encoder, content) };
}
