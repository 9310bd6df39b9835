import type { OwnerSpread } from "./owner-spread.ts";

/** An index at the search engine that is written now. */
export interface IndexGeneration {
  readonly name: string;
  readonly alias: string;
  /** The engine's own name of it: an index that was removed and made again has another. */
  readonly uuid: string;
  readonly mappingVersion: number;
  readonly embeddingGeneration: number;
  /** Dimension of that generation's vectors. */
  readonly dimension: number;
  /** null: an earlier version made it, and noted none. */
  readonly shards: number | null;
  readonly spread: OwnerSpread;
  /** `building`: being filled. `active`: searched. `retired`: replaced, and written as long as somebody may search it. */
  readonly state: "building" | "active" | "retired";
  /** The memory up to which it is filled; null before the first. */
  readonly scannedTo: string | null;
  readonly scanned: number;
  /** How many memories there were when it was begun. */
  readonly total: number;
}

export type NewIndex = Pick<
  IndexGeneration,
  "name" | "alias" | "uuid" | "mappingVersion" | "embeddingGeneration" | "total" | "spread"
> & { readonly shards: number };

/** Which indexes there are: a fact of the record, the same for all servers. */
export interface IndexGenerations {
  /**
   * All that are written. Read it after taking an outbox line and before reading the memory: a generation that is not
   * in it yet is filled by a scan that sees the line's change.
   */
  live(): Promise<IndexGeneration[]>;
  begin(index: NewIndex): Promise<IndexGeneration>;
  /** False where the generation is gone. */
  progress(name: string, scannedTo: string, scanned: number): Promise<boolean>;
  /** It is searched from now on, and the one before is retired. False where the generation is gone. */
  activate(name: string): Promise<boolean>;
  /** It is neither searched nor written from now on. */
  forget(name: string): Promise<void>;
  /** Forgets those that were retired longer ago than anybody searches them. Answers their names. */
  forgetRetired(): Promise<string[]>;
  /** Retires them all: there is no engine any more. */
  retireAll(): Promise<number>;
  /** For one server an hour, which is to check the active index: how many times that was done before. null for all others. */
  checkDue(): Promise<number | null>;
  /** Runs the work while no other process builds, or answers null at once where one does. */
  whileBuilding<T>(work: () => Promise<T>): Promise<T | null>;
}

/** How long a retired index is written: much longer than a server goes on believing that it is active. */
export const RETIRED_FOR_SECONDS = 60;
