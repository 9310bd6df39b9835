import type { IndexDocument } from "../../recall/index/index-document.ts";
import type { BucketSum, IndexEntry, OwnerSum } from "./fingerprint.ts";
import type { MadeVectors, OwnedMemory } from "./outbox.ts";
import type { Unembedded } from "./reembed.ts";

/** A memory that an index should have, as the record has it. */
export interface RecordEntry extends IndexEntry {
  /** True while an outbox line of it is waiting: the index may differ. */
  readonly isPending: boolean;
}

/**
 * The record, as indexes of the search engine are filled and checked from it. It takes no `Caller`: nothing of what it
 * reads is shown to anybody; it leaves the service for the embedder and the engine.
 *
 * `generation` is an embedding generation: a document has the vector of that one, or none.
 */
export interface IndexSource {
  /** Those of these memories that have no vector of the generation that is written now, with their texts. */
  unembedded(memories: readonly OwnedMemory[]): Promise<Unembedded[]>;
  /** Stores vectors of that generation, but not of a memory that has changed since its text was read. */
  storeVectors(vectors: readonly MadeVectors[]): Promise<void>;
  /** Those of these memories that there are, as they are now. */
  documents(memories: readonly OwnedMemory[], generation: number): Promise<IndexDocument[]>;
  /** The next memories by internal id. */
  documentsAfter(memory: string | null, limit: number, generation: number): Promise<IndexDocument[]>;
  count(): Promise<number>;
  /** The owners of more memories than that, with how many they have. */
  largeOwners(memories: number): Promise<ReadonlyMap<string, number>>;
  /** Sums of every bucket that is not empty, of these owners; null: of all. */
  sums(generation: number, owners: readonly string[] | null): Promise<BucketSum[]>;
  /** The memories of these buckets, of these owners; null: of all. */
  entries(
    buckets: readonly number[],
    generation: number,
    owners: readonly string[] | null,
  ): Promise<RecordEntry[]>;
  /** How many memories each owner has, by what is counted as they change: no memory is looked at. */
  ownerCounts(): Promise<ReadonlyMap<string, number>>;
  /** Count and fingerprint of each owner of that portion (`portionOf`) that has memories. */
  ownerSums(portion: number, generation: number): Promise<ReadonlyMap<string, OwnerSum>>;
  /** Leaves an outbox line for each of these memories, as a write of it would. */
  queue(memories: readonly OwnedMemory[]): Promise<void>;
}
