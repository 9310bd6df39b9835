import { type PackedTokens, packTokens } from "../../recall/index/packed-tokens.ts";
import { passageTexts } from "../../recall/language/passages.ts";
import type { TokenEncoder } from "../embedding/token-encoder.ts";
import type { OwnedMemory } from "./outbox.ts";
import type { Unembedded } from "./reembed.ts";

/** A memory's token vectors, by passage. */
export interface EncodedMemory extends OwnedMemory {
  /** Revision of the row whose text they were made of. */
  readonly revision: number;
  readonly passages: readonly PackedTokens[];
}

/**
 * The memories of every owner that wait for token vectors. It takes no `Caller` for the reason given at `ExportSource`:
 * nothing of what it reads leaves the service.
 */
export interface TokenBacklog {
  count(): Promise<number>;
  /** The next of them by internal id below `before`, or from the greatest: the newest first. */
  read(before: string | null, limit: number): Promise<Unembedded[]>;
  /** Those among the given. */
  readOf(memories: readonly OwnedMemory[]): Promise<Unembedded[]>;
  /** Stores the vectors, but not of a memory that has changed since it was read. */
  store(encoded: readonly EncodedMemory[]): Promise<void>;
  /** Removes the vectors of earlier generations. */
  dropOthers(): Promise<void>;
}

/** Passages of a memory that get token vectors: some 25,000 characters, and 260 kB at most. */
const ENCODED_PASSAGES_MAX = 16;

/** The token vectors of a memory's passages, from the first on. */
export async function encodePassages(encoder: TokenEncoder, content: string): Promise<PackedTokens[]> {
  const vectors = await encoder.encode(passageTexts(content).slice(0, ENCODED_PASSAGES_MAX));
  return vectors.map((one) => packTokens(one, encoder.generation.dimension));
}

/** Encodes memories and stores what they have become. It has a rest after each, told how many milliseconds that took. */
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
