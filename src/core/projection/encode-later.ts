import { type PackedTokens, packTokens } from "../../recall/index/packed-tokens.ts";
import { encodeVectors, type StoredVectors } from "../../recall/index/vector-bytes.ts";
import { passageTexts } from "../../recall/language/passages.ts";
import type { MultilingualEncoder } from "../embedding/multilingual-encoder.ts";
import type { TokenEncoder } from "../embedding/token-encoder.ts";
import type { OwnedMemory } from "./outbox.ts";
import type { Unembedded } from "./reembed.ts";

/** The vectors that a model made of a memory after it was written. */
export interface EncodedMemory extends OwnedMemory {
  /** The revision whose text was encoded. */
  readonly revision: number;
}

/**
 * The memories of all owners that wait for a model's vectors. It takes no `Caller` for the reason given at
 * `ExportSource`: what it reads does not leave the service.
 */
export interface ModelBacklog<Encoded extends EncodedMemory> {
  /** The next memories by internal id, newest first: below `before`, or from the greatest id if null. */
  read(before: string | null, limit: number): Promise<Unembedded[]>;
  /** Those of these memories that wait for the model's vectors. */
  readOf(memories: readonly OwnedMemory[]): Promise<Unembedded[]>;
  /** Stores the vectors. Skips memories that have changed since they were read. */
  store(encoded: readonly Encoded[]): Promise<void>;
  /** Removes the vectors of earlier models, if they are kept beside those of this one. */
  dropOthers(): Promise<void>;
}

/** A model, and the memories that wait for its vectors. */
export interface EncodePorts<Encoded extends EncodedMemory> {
  readonly backlog: ModelBacklog<Encoded>;
  readonly encode: (memory: Unembedded) => Promise<Encoded>;
}

/** Encodes memories and stores the vectors. Calls `rest` after each memory with the milliseconds it took. */
export async function encodeMemories<Encoded extends EncodedMemory>(
  { backlog, encode }: EncodePorts<Encoded>,
  memories: readonly Unembedded[],
  { signal, rest }: { readonly signal: AbortSignal; readonly rest: (tookMs: number) => Promise<void> },
): Promise<void> {
  const encoded: Encoded[] = [];
  for (const memory of memories) {
    if (signal.aborted) break;
    const from = performance.now();
    encoded.push(await encode(memory));
    await rest(performance.now() - from);
  }
  if (encoded.length > 0) await backlog.store(encoded);
}

/** A memory's multilingual vectors, by passage, and its language. */
export interface EncodedMultilingual extends EncodedMemory {
  readonly vectors: StoredVectors;
  /** See `MultilingualText`. */
  readonly language: string | null;
}

/** Encodes a memory's passages. Its language is that of the first passage whose language is clear. */
export async function encodeMultilingual(
  encoder: MultilingualEncoder,
  { ownerId, memory, revision, content }: Unembedded,
): Promise<EncodedMultilingual> {
  const passages = await encoder.encode(passageTexts(content));
  return {
    ownerId,
    memory,
    revision,
    vectors: encodeVectors(passages.map(({ vector }) => vector)),
    language: passages.find(({ language }) => language !== null)?.language ?? null,
  };
}

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
