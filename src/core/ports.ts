import type { MemoryStore } from "./memory/memory-store.ts";
import type { Embedder } from "./recall/embedder.ts";
import type { Lexicon } from "./recall/lexicon.ts";
import type { RecallIndex } from "./recall/recall-index.ts";

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Time-ordered UUIDs (version 7). */
export type IdSource = () => string;

/** SHA-256 of the text's UTF-8 bytes, in lower-case hexadecimal. */
export type Hash = (text: string) => string;

/** What the use cases stand on. Each takes the part it needs by `Pick`. */
export interface Ports {
  readonly store: MemoryStore;
  readonly index: RecallIndex;
  readonly embedder: Embedder;
  readonly lexicon: Lexicon;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly hash: Hash;
}
