import type { MemoryFilter } from "../memory/memory-filter.ts";
import type { Ports } from "../ports.ts";
import type { Retriever } from "./recall-index.ts";

export type RetrievePorts = Pick<Ports, "store" | "serving" | "lexicon">;

/** What to recall, whoever asks: search, context and why. */
export interface RetrieveRequest {
  readonly query: string;
  readonly filter: MemoryFilter;
  readonly hitsMax: number;
  /** The least absolute relevance. */
  readonly scoreMin: number;
  /** Candidates of each retriever; the index's own number unless given. */
  readonly candidateCount: number | null;
  readonly retrievers: readonly Retriever[];
  readonly prefersWorking: boolean;
  /** When and where it is asked, for words like "last week". */
  readonly askedAt: number;
  readonly timeZone: string;
}
