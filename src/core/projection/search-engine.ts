import type { IndexChange, IndexDocument } from "../../recall/index/index-document.ts";
import type { BucketSum, IndexEntry, OwnerSum } from "./fingerprint.ts";
import type { OwnerSpread } from "./owner-spread.ts";

/** A change as it is sent to the engine. A removal names the owner, since documents are routed by owner. */
export type EngineChange =
  | { readonly kind: "put"; readonly document: IndexDocument }
  | (Extract<IndexChange, { kind: "remove" }> & { readonly ownerId: string });

/**
 * Outcome of a change. `refused`: the class of error with which the engine rejected only this document; null if it
 * accepted it.
 */
export type Written = { readonly refused: string | null };

export interface WrittenIndex {
  readonly name: string;
  readonly dimension: number;
  /** Version of its documents. An index with an earlier version is still written until another one replaces it. */
  readonly mappingVersion: number;
  readonly spread: OwnerSpread;
}

export interface WriteHow {
  /** When the documents were read from the database, in milliseconds since the epoch. */
  readonly readAt: number;
  /** True: wait until searches show the changes. */
  readonly isShown: boolean;
}

/** The state of the record that an index was built from. */
export interface IndexedRecord {
  /** See `Incarnation.id`. */
  readonly incarnation: string;
  /** The position in the database's log of changes at the time (see `Incarnations.log`). */
  readonly log: bigint;
}

/** Properties of an index to be created. */
export interface NewIndexShape {
  readonly dimension: number;
  readonly shards: number;
  readonly of: IndexedRecord;
}

export interface FoundIndex {
  readonly uuid: string;
  /** null: an earlier version of this program created it and did not record this. */
  readonly of: IndexedRecord | null;
}

/**
 * The search engine's write interface for the projection. Every method rejects with `IndexUnavailable` if the engine is
 * unreachable or overloaded or lacks the index. All methods can be retried after that.
 */
export interface SearchEngine {
  /** Version of the documents that this program writes. */
  readonly mappingVersion: number;
  /** The alias of the active index, for people. The names of all indexes begin with it. */
  readonly alias: string;
  /**
   * Writes changes, and resolves to the outcome of each, in order. A change is ignored if the index already has a
   * higher revision. If a change is refused, older revisions of the document are removed.
   */
  write(index: WrittenIndex, changes: readonly EngineChange[], how: WriteHow): Promise<Written[]>;
  /**
   * Creates an index for the current record in bulk-loading mode, and resolves to its uuid. In that mode the index has
   * no replicas, a crash of the engine may lose the latest writes, and searches show writes only after a wait for them.
   */
  create(index: string, shape: NewIndexShape): Promise<string>;
  /**
   * Ends bulk-loading mode: all writes become durable, are visible after a second, and are replicated as configured.
   */
  settle(index: string): Promise<void>;
  /** Routing values for an owner's memories that lead to this many different shards of the index. */
  routes(index: string, ownerId: string, parts: number): Promise<readonly string[]>;
  /** The index, or null if none with that name exists that this program could write to. */
  find(index: string): Promise<FoundIndex | null>;
  /** Stores in the index's metadata which record it belongs to, and the log position. */
  note(index: string, of: IndexedRecord): Promise<void>;
  /** Makes all writes visible to searches. */
  refresh(index: string): Promise<void>;
  /** Points the alias to this index only, atomically. */
  pointAlias(index: string): Promise<void>;
  drop(index: string): Promise<void>;
  /** The names of this database's indexes in the engine. */
  owned(): Promise<string[]>;
  /** The sums of all non-empty buckets, for these owners; null: for all owners. */
  sums(index: string, owners: readonly string[] | null): Promise<BucketSum[]>;
  /** The memories in these buckets, for these owners; null: for all owners. */
  entries(index: string, buckets: readonly number[], owners: readonly string[] | null): Promise<IndexEntry[]>;
  ownerSums(index: string): Promise<ReadonlyMap<string, OwnerSum>>;
  /** Deletes the placeholders of memories that were removed before that instant, in milliseconds since the epoch. */
  purge(index: string, before: number): Promise<void>;
}
