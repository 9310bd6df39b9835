import type { KnownSpeakers } from "../language/names.ts";
import type { Pace } from "../work.ts";
import type { QueryAnalysis } from "./query.ts";
import type { QueryEmbedding } from "./query-embedding.ts";
import type { RecallScope } from "./scope.ts";

/**
 * The index's side of a recall: it proposes candidates with what the ranker needs to know of them. The
 * record decides which of them the caller may read.
 */
export interface RecallIndex {
  /**
   * The candidates of a request with their counts, and statistics over everything in the request's scope.
   * Nothing outside the scope (other owners, memories that the filter drops) has any influence on the answer.
   * Rejects with `IndexUnavailable` where it cannot answer now. `signal` calls the request off.
   */
  candidates(request: CandidateRequest, signal?: AbortSignal): Promise<CandidateSet>;
  /** Brings what it holds of these owners up to date, so that nothing that was erased is left in it. */
  refresh(owners: readonly string[]): Promise<void>;
}

/** The ways of finding a memory: by its words, and by its vector. */
export type Retriever = "lexical" | "dense";

/** One question to an index. */
export interface CandidateRequest extends RecallScope {
  readonly query: QueryAnalysis;
  /** Null while the embedder is away: the dense retriever then considers nothing, and coverage says so. */
  readonly embedding: QueryEmbedding | null;
  /** The number of the embedding generation that the vectors are of: an index that holds another compares none. */
  readonly embeddingGeneration?: number;
  /** Both for the ranker; one alone for its plain order (BM25 over exact pieces, or cosine). */
  readonly retrievers: readonly Retriever[];
  /** How many each retriever proposes, 1 to 1,000; 200 unless given. Neighbours and the newest are added. */
  readonly candidateCount?: number;
  /** Asked for a pause by what takes the processor for long; without it nothing else runs meanwhile. */
  readonly pace?: Pace;
  /** Told how many memories have been read where the index has to be built before it can answer. */
  readonly onRead?: (memories: number) => void;
}

/** What answered: the search engine, or the index in this process's memory. */
export type Engine = "elasticsearch" | "embedded";

/** The answer of an index. */
export interface CandidateSet {
  readonly engine: Engine;
  /** What did not take part that should have, each in a few words without content; empty where all did. */
  readonly degraded: readonly string[];
  readonly retrievers: readonly Retriever[];
  readonly statistics: ScopeStatistics;
  /** In order of storing. */
  readonly candidates: readonly Candidate[];
  /**
   * By owner that was searched: the least, over the requested retrievers, of the share of its memories in
   * scope that the retriever could consider. 1 when nothing is in scope.
   */
  readonly coverage: ReadonlyMap<string, number>;
  /** Owners that this index cannot hold: to be searched elsewhere. */
  readonly unavailable: readonly string[];
}

/** Statistics over all memories in scope, of all owners together. Arrays run parallel to the query's terms. */
export interface ScopeStatistics extends KnownSpeakers {
  readonly memoryCount: number;
  /** In how many memories each term occurs. */
  readonly documentFrequency: readonly number[];
  /** Of a passage, and of its window. */
  readonly meanLength: number;
  readonly meanContextLength: number;
  readonly sessionCount: number;
  readonly sessionDocumentFrequency: readonly number[];
  readonly meanSessionLength: number;
}

/**
 * A memory as the ranker sees it, or a passage of a long one, which then is meant wherever a memory is spoken of below. Counts
 * are soft term counts, parallel to the query's terms: the memory's own, those of its window in the session (see `WINDOW` in
 * `features.ts`), and the session's sum. A window takes in the passages around one, then the session's memories around those.
 */
export interface Candidate {
  readonly id: string;
  readonly ownerId: string;
  readonly seq: number;
  /** Which of its memory's passages it is, from 0 (see `passagesOf`); null where it is all of it. */
  readonly passage: number | null;
  /** See `sessionKey`. */
  readonly sessionKey: string | null;
  readonly own: Float32Array;
  /** Of all of the memory, whichever passage of it this is. */
  readonly ofMemory: Float32Array;
  readonly context: Float32Array;
  readonly session: Float32Array;
  /** In word pieces, as the two below; at least 1. */
  readonly length: number;
  readonly contextLength: number;
  readonly sessionLength: number;
  /** The memory before it in the session. */
  readonly previous: { readonly asks: boolean; readonly own: Float32Array; readonly length: number } | null;
  /**
   * Cosine with the whole query, and the best with one of its sentences; null without a fitting vector, and where the
   * vector does not decide how relevant the memory is (see `vectorDecides`).
   */
  readonly cosine: number | null;
  readonly sentenceCosine: number | null;
  /** The stored vector's int8 steps, to tell near-duplicates; null where the vector does not decide what is the same. */
  readonly vector: Int8Array | null;
  readonly speaker: string | null;
  readonly occurredAt: number;
  /** How many memories in scope are newer. */
  readonly newerCount: number;
  readonly isQuestion: boolean;
  readonly mentionsTime: boolean;
  /** An agent wrote it before anybody had bound it. */
  readonly isAdopted: boolean;
}
