import type { KnownSpeakers } from "../language/names.ts";
import type { Pace } from "../work.ts";
import type { MultilingualQuery } from "./multilingual.ts";
import type { QueryAnalysis } from "./query.ts";
import type { QueryEmbedding } from "./query-embedding.ts";
import type { RecallScope } from "./scope.ts";

/**
 * The index's part of a recall: proposes candidates together with what the ranker needs to know of them. The record
 * decides which of them the caller may read.
 */
export interface RecallIndex {
  /**
   * The candidates of a request with their counts, and statistics over everything in the request's scope. Nothing
   * outside the scope (other owners, memories excluded by the filter) influences the answer. Rejects with
   * `IndexUnavailable` if it cannot answer now. `signal` aborts the request.
   */
  candidates(request: CandidateRequest, signal?: AbortSignal): Promise<CandidateSet>;
  /** Brings the index up to date for these owners, so that it no longer holds anything erased. */
  refresh(owners: readonly string[]): Promise<void>;
}

/** Methods of finding a memory: by its words, and by its vector. */
export type Retriever = "lexical" | "dense";

export interface CandidateRequest extends RecallScope {
  readonly query: QueryAnalysis;
  /** null while the embedder is unavailable. The dense retriever then considers nothing, and `coverage` reports it. */
  readonly embedding: QueryEmbedding | null;
  /** The query for comparisons across languages and of long texts. Default: null, without them. */
  readonly multilingual?: MultilingualQuery | null;
  /** Embedding generation of the query's vectors. An index that holds another generation compares no vectors. */
  readonly embeddingGeneration?: number;
  /**
   * Pass both if the ranker orders the candidates, or one alone to order by its score (BM25 over exact pieces, or
   * cosine).
   */
  readonly retrievers: readonly Retriever[];
  /** How many each retriever proposes, 1 to 1,000. Default: 200. Neighbours and the newest are added. */
  readonly candidateCount?: number;
  /** Lets long computations yield the CPU. Without it, they block everything else. */
  readonly pace?: Pace;
  /** Called with the number of memories read so far, if the index must be built before it can answer. */
  readonly onRead?: (memories: number) => void;
}

/** The engine that answered: the search engine, or the index in this process's memory. */
export type Engine = "elasticsearch" | "embedded";

export interface CandidateSet {
  readonly engine: Engine;
  /** Parts of the search that should have run but did not, one short phrase each, without content. Empty if all ran. */
  readonly degraded: readonly string[];
  readonly retrievers: readonly Retriever[];
  readonly statistics: ScopeStatistics;
  /** Language of the query; null if it is unclear, or if no multilingual vectors were compared. */
  readonly queryLanguage: string | null;
  /** In order of storing. */
  readonly candidates: readonly Candidate[];
  /**
   * For each searched owner, the share of its memories in scope that a retriever could consider; the minimum over the
   * requested retrievers. 1 when nothing is in scope.
   */
  readonly coverage: ReadonlyMap<string, number>;
  /** Owners that this index cannot hold. They must be searched elsewhere. */
  readonly unavailable: readonly string[];
}

/** Statistics over all memories in scope, of all owners together. Arrays run parallel to the query's terms. */
export interface ScopeStatistics extends KnownSpeakers {
  readonly memoryCount: number;
  /** Number of memories in which each term occurs. */
  readonly documentFrequency: readonly number[];
  /** Mean length of a passage, and of its window. */
  readonly meanLength: number;
  readonly meanContextLength: number;
  readonly sessionCount: number;
  readonly sessionDocumentFrequency: readonly number[];
  readonly meanSessionLength: number;
}

/**
 * A memory as the ranker sees it, or one passage of a long memory. Below, "memory" means either. Counts are soft term
 * counts, parallel to the query's terms: the memory's own, those of its window in the session (see `WINDOW` in
 * `weights.ts`), and the session's sum. A window covers the neighbouring passages of the memory, then the neighbouring
 * memories of the session.
 */
export interface Candidate {
  readonly id: string;
  readonly ownerId: string;
  readonly seq: number;
  /** Index of this passage in its memory, from 0 (see `passagesOf`); null if this is the whole memory. */
  readonly passage: number | null;
  /** See `sessionKey`. */
  readonly sessionKey: string | null;
  readonly own: Float32Array;
  /** Counts of the whole memory, even if this is one passage of it. */
  readonly ofMemory: Float32Array;
  readonly context: Float32Array;
  readonly session: Float32Array;
  /** In word pieces, like the next two; at least 1. */
  readonly length: number;
  readonly contextLength: number;
  readonly sessionLength: number;
  /** The memory before it in the session. */
  readonly previous: { readonly asks: boolean; readonly own: Float32Array; readonly length: number } | null;
  /**
   * Cosine with the whole query, and the best cosine with any one of its sentences. Null if there is no comparable
   * vector, or if the vector does not decide relevance (see `vectorDecides`).
   */
  readonly cosine: number | null;
  readonly sentenceCosine: number | null;
  /**
   * Best cosine of the multilingual vector with the whole query or one of its sentences. Null if they were not
   * compared, or if it has none yet.
   */
  readonly multilingualCosine: number | null;
  /** See `IndexDocument`. */
  readonly language: string | null;
  /**
   * Reads the stored vector, quantised to int8, for detecting near-duplicates. Null if the vector does not decide
   * sameness. A function, since only the best candidates are compared.
   */
  readonly vector: () => Int8Array | null;
  readonly speaker: string | null;
  readonly occurredAt: number;
  /** Number of newer memories in scope. */
  readonly newerCount: number;
  readonly isQuestion: boolean;
  readonly mentionsTime: boolean;
  /** An agent wrote the memory before any user had bound that agent. */
  readonly isAdopted: boolean;
}
