import type { OwnerSpread } from "./owner-spread.ts";

/** A live index of the search engine, which receives all changes. */
export interface IndexGeneration {
  readonly name: string;
  readonly alias: string;
  /** The engine's own id. An index that was deleted and created again has another one. */
  readonly uuid: string;
  readonly mappingVersion: number;
  readonly embeddingGeneration: number;
  /** Dimension of that generation's vectors. */
  readonly dimension: number;
  /** null: an earlier version created it and did not record the number. */
  readonly shards: number | null;
  readonly spread: OwnerSpread;
  /**
   * `building`: being filled. `active`: searched. `retired`: replaced, but still written as long as a server may search
   * it.
   */
  readonly state: "building" | "active" | "retired";
  /** The last memory that it is filled with, in order of ids; null before the first. */
  readonly scannedTo: string | null;
  readonly scanned: number;
  /** The number of memories when the build began. */
  readonly total: number;
}

export type NewIndex = Pick<
  IndexGeneration,
  "name" | "alias" | "uuid" | "mappingVersion" | "embeddingGeneration" | "total" | "spread"
> & { readonly shards: number };

/** The live indexes. They are stored in the database, so that all servers agree. */
export interface IndexGenerations {
  /**
   * All live indexes. Call it after claiming an outbox line and before reading the memory: a generation that is not yet
   * listed is filled by a scan that sees the line's change.
   */
  live(): Promise<IndexGeneration[]>;
  begin(index: NewIndex): Promise<IndexGeneration>;
  /** Records how far the build has come. False if the generation no longer exists. */
  progress(name: string, scannedTo: string, scanned: number): Promise<boolean>;
  /** Makes an index active and retires the former one. False if the generation no longer exists. */
  activate(name: string): Promise<boolean>;
  /** Forgets an index, which is then neither searched nor written. */
  forget(name: string): Promise<void>;
  /** Forgets the indexes that were retired so long ago that no server searches them. Returns their names. */
  forgetRetired(): Promise<string[]>;
  /** Retires all indexes, because there is no engine any more. Returns their number. */
  retireAll(): Promise<number>;
  /**
   * Elects one server per hour to check the active index: returns the number of earlier checks to it, and null to all
   * others.
   */
  checkDue(): Promise<number | null>;
  /** Runs the work if no other process is building; otherwise returns null immediately. */
  whileBuilding<T>(work: () => Promise<T>): Promise<T | null>;
}

/** How long a retired index is still written: much longer than a server may believe that it is active. */
export const RETIRED_FOR_SECONDS = 60;
