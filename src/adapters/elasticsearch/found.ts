import type { Retrieval } from "../../core/recall/in-memory/retrieval.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import type { CandidateRequest, CandidateSet } from "../../core/recall/recall-index.ts";
import type { Query, SearchAnswer, SearchBody } from "./search-all.ts";
import type { TailMemory } from "./tail-reader.ts";

/** One request to the engine, and what answers it. */
export interface ScopeSearch {
  readonly request: CandidateRequest;
  readonly owners: readonly string[];
  /** What is in scope, and not pending. */
  readonly scope: Query;
  /** What is in scope, and pending. */
  readonly tail: readonly TailMemory[];
  /** Of the vectors that can be searched. */
  readonly dimension: number;
  readonly lexicon: Lexicon;
  readonly retrieval: Retrieval;
  readonly search: (bodies: readonly SearchBody[]) => Promise<SearchAnswer[]>;
}

/** What was found in a scope, the tail included. */
export interface Found extends Pick<CandidateSet, "retrievers" | "statistics" | "candidates"> {
  /** By owner, how many memories are in scope, and how many of them have a vector that could be compared. */
  readonly owners: ReadonlyMap<string, { readonly count: number; readonly embedded: number }>;
}
