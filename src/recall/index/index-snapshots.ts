import type { PackedIndex } from "./in-memory/index-snapshot.ts";

/** A stored index, and the position in the feed from which it must read on. */
export interface StoredIndex {
  readonly id: string;
  /** See `IndexFeed`. The record has erased nothing of the owner since. */
  readonly cursor: string;
  readonly description: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Stores owners' indexes, so that a server need not build them when it starts. What is erased is in none of them. */
export interface IndexSnapshots {
  /** The stored index of an owner; null if there is none, or it is in doubt. */
  load(ownerId: string): Promise<StoredIndex | null>;
  /** The id of the stored index; null if there is none. */
  idOf(ownerId: string): Promise<string | null>;
  /**
   * Announces an index that will be stored, before it is read for that. Returns null if the owner's memories are being
   * erased.
   */
  begin(ownerId: string): Promise<PendingSnapshot | null>;
}

export interface PendingSnapshot {
  readonly id: string;
  /**
   * Stores the index in place of the previous one. `cursor`: how far it had read, after `begin`. Returns false if
   * something has been erased meanwhile, or another server stores an index of the owner.
   */
  store(packed: PackedIndex, cursor: string): Promise<boolean>;
}
