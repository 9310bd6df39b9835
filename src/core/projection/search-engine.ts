import type { IndexChange, IndexDocument } from "../../recall/index/index-document.ts";
import type { BucketSum, IndexEntry, OwnerSum } from "./fingerprint.ts";
import type { OwnerSpread } from "./owner-spread.ts";

/** A change as it is sent to the engine. A removal names the owner, by whom documents are routed. */
export type EngineChange =
  | { readonly kind: "put"; readonly document: IndexDocument }
  | (Extract<IndexChange, { kind: "remove" }> & { readonly ownerId: string });

/** `refused`: the class of error for which the engine takes everything but this document. */
export type Written = { readonly refused: string | null };

export interface WrittenIndex {
  readonly name: string;
  /** Dimension of its vectors. */
  readonly dimension: number;
  /** Version of its documents. An earlier version is written until another index has replaced it. */
  readonly mappingVersion: number;
  readonly spread: OwnerSpread;
}

export interface WriteHow {
  /** When the documents were read from the record, in milliseconds since the epoch. */
  readonly readAt: number;
  /** True waits until searches show the changes. */
  readonly isShown: boolean;
}

/** The record that an index is of. */
export interface IndexedRecord {
  /** See `Incarnation.id`. */
  readonly incarnation: string;
  /** How far the record's log of changes was when that was noted; see `Incarnations.log`. */
  readonly log: bigint;
}

/** An index that is to be made. */
export interface NewIndexShape {
  /** Dimension of its vectors. */
  readonly dimension: number;
  readonly shards: number;
  readonly of: IndexedRecord;
}

export interface FoundIndex {
  readonly uuid: string;
  /** null: an earlier version of this program made it, and noted nothing. */
  readonly of: IndexedRecord | null;
}

/**
 * The search engine, as the projection writes to it. Every method rejects with `IndexUnavailable` where the engine is
 * away, overloaded or lacks the index; whatever was done until then may be done again.
 */
export interface SearchEngine {
  /** Version of the documents that this program writes. */
  readonly mappingVersion: number;
  /** The name that people find the active index by, and the beginning of all names. */
  readonly alias: string;
  /**
   * Writes changes; each loses to a higher revision that is already there. Resolves to the outcome of each, in order. A refused
   * change leaves nothing of an older revision behind.
   */
  write(index: WrittenIndex, changes: readonly EngineChange[], how: WriteHow): Promise<Written[]>;
  /**
   * Makes an index of the record as it is now, to be filled in haste, and resolves its uuid: it has one copy, a crash of the engine
   * may take the last of what it has taken, and searches show what is written only where that is waited for.
   */
  create(index: string, shape: NewIndexShape): Promise<string>;
  /** Ends the haste: what was and will be taken lasts, is shown a second later, and is copied as the settings say. */
  settle(index: string): Promise<void>;
  /** Names of so many of the index's shards, each of another one, by which an owner's memories can be found. */
  routes(index: string, ownerId: string, parts: number): Promise<readonly string[]>;
  /** The index, or null where there is none of that name that this program could write to. */
  find(index: string): Promise<FoundIndex | null>;
  /** Notes beside the index which record it is of, and how far that had come. */
  note(index: string, of: IndexedRecord): Promise<void>;
  /** Makes searches show all that was written. */
  refresh(index: string): Promise<void>;
  /** Points the alias to this index alone, at once. */
  pointAlias(index: string): Promise<void>;
  drop(index: string): Promise<void>;
  /** The names of the indexes that this database has there. */
  owned(): Promise<string[]>;
  /** Sums of every bucket that is not empty, of these owners; null: of all. */
  sums(index: string, owners: readonly string[] | null): Promise<BucketSum[]>;
  /** The memories of these buckets, of these owners; null: of all. */
  entries(index: string, buckets: readonly number[], owners: readonly string[] | null): Promise<IndexEntry[]>;
  /** Sums of every owner that has memories. */
  ownerSums(index: string): Promise<ReadonlyMap<string, OwnerSum>>;
  /** Removes what is left in place of memories that were removed before then, in milliseconds since the epoch. */
  purge(index: string, before: number): Promise<void>;
}
