import type { IndexDocument } from "../../recall/index/index-document.ts";
import type { BucketSum, IndexEntry, OwnerSum } from "./fingerprint.ts";
import type { MadeVectors, OwnedMemory } from "./outbox.ts";
import type { Unembedded } from "./reembed.ts";

/** A memory that an index should contain, as the database has it. */
export interface RecordEntry extends IndexEntry {
  /** True while the memory has a pending outbox line, so that the index may differ. */
  readonly isPending: boolean;
}

/**
 * The database as the source for filling and checking indexes. It takes no `Caller`, since its results are not shown to
 * callers; they only go to the embedder and the search engine.
 *
 * `generation` is an embedding generation. Documents have vectors of that generation or none.
 */
export interface IndexSource {
  /** Those of these memories that have no vector of the current generation, with their texts. */
  unembedded(memories: readonly OwnedMemory[]): Promise<Unembedded[]>;
  /** Stores vectors of the current generation. Skips memories that have changed since their text was read. */
  storeVectors(vectors: readonly MadeVectors[]): Promise<void>;
  /** The current documents of those of these memories that exist. */
  documents(memories: readonly OwnedMemory[], generation: number): Promise<IndexDocument[]>;
  /** The next documents in order of internal ids. */
  documentsAfter(memory: string | null, limit: number, generation: number): Promise<IndexDocument[]>;
  count(): Promise<number>;
  /** The owners with more memories than that, and the number of their memories. */
  largeOwners(memories: number): Promise<ReadonlyMap<string, number>>;
  /** The sums of all non-empty buckets, for these owners; null: for all owners. */
  sums(generation: number, owners: readonly string[] | null): Promise<BucketSum[]>;
  /** The memories in these buckets, for these owners; null: for all owners. */
  entries(
    buckets: readonly number[],
    generation: number,
    owners: readonly string[] | null,
  ): Promise<RecordEntry[]>;
  /** The number of memories of each owner, from maintained counters, without reading memories. */
  ownerCounts(): Promise<ReadonlyMap<string, number>>;
  /** Count and fingerprint of each owner in that portion (`portionOf`) that has memories. */
  ownerSums(portion: number, generation: number): Promise<ReadonlyMap<string, OwnerSum>>;
  /** Adds an outbox line for each of these memories, as a write would. */
  queue(memories: readonly OwnedMemory[]): Promise<void>;
}
