import { type PackedTokens, packTokens } from "../../recall/index/packed-tokens.ts";
import { passageTexts } from "../../recall/language/passages.ts";
import type { TokenEncoder } from "../embedding/token-encoder.ts";
import type { OwnedMemory } from "./outbox.ts";
import type { Unembedded } from "./reembed.ts";

/** A memory's token vectors, by passage. */
export interface EncodedMemory extends OwnedMemory {
  /** The revision whose text was encoded. */
  readonly revision: number;
  readonly passages: readonly PackedTokens[];
}

/**
 * The memories of all owners that wait for token vectors. It takes no `Caller` for the reason given at `ExportSource`:
 * what it reads does not leave the service.
 */
export interface TokenBacklog {
  count(): Promise<number>;
  /** The next memories by internal id, newest first: below `before`, or from the greatest id if null. */
  read(before: string | null, limit: number): Promise<Unembedded[]>;
  /** Those of these memories that wait for token vectors. */
  readOf(memories: readonly OwnedMemory[]): Promise<Unembedded[]>;
  /** Stores the vectors. Skips memories that have changed since they were read. */
  store(encoded: readonly EncodedMemory[]): Promise<void>;
  /** Removes the vectors of earlier generations. */
  dropOthers(): Promise<void>;
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

/** Encodes memories and stores the vectors. Calls `rest` after each memory with the milliseconds it took. */
export async function encodeMemories(
  { backlog, encoder }: { readonly backlog: TokenBacklog; readonly encoder: TokenEncoder },
  memories: readonly Unembedded[],
  { signal, rest }: { readonly signal: AbortSignal; readonly rest: (tookMs: number) => Promise<void> },
): Promise<void> {
  const encoded: EncodedMemory[] = [];
  for (const { ownerId, memory, revision, content } of memories) {
    if (signal.aborted) break;
    const from = performance.now();
    encoded.push({ ownerId, memory, revision, passages: await encodePassages(encoder, content) });
    await rest(performance.now() - from);
  }
  if (encoded.length > 0) await backlog.store(encoded);
}
