import type { QueryEmbedding } from "../embedding/embedder.ts";
import type { IndexChange } from "./index-document.ts";
import type { QueryAnalysis } from "./query.ts";

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

/** What an index is built from and kept current by. */
export interface IndexFeed {
  /**
   * Reports the changes of an owner after `cursor` (null: all of its memories) and resolves the next cursor.
   * Batches may overlap what was read before and come in any order; each is awaited before the next.
   */
  read(
    ownerId: string,
    cursor: string | null,
    onBatch: (changes: IndexChange[]) => void | Promise<void>,
  ): Promise<string>;
}

/** The ways of finding a memory: by its words, and by its vector. */
export type Retriever = "lexical" | "dense";

/**
 * What is in scope. In `path`, `bucket`, `memoryTypes` and `status` a `%` stands for anything, and no other
 * character is special. Null is no restriction.
 */
export interface RecallFilter {
  readonly owners: readonly string[];
  readonly path: string;
  readonly bucket: string;
  /** Any of these. */
  readonly memoryTypes: readonly string[];
  /** Not these types, by name. Only to propose less in vain: the record decides. */
  readonly excludedTypes?: readonly string[];
  /**
   * "active": every live status (active, started, completed) that has not expired at `now`. "expired": a
   * live one that has. Anything else is compared with the status, which reads "expired" for those. A pattern
   * never matches "soft_deleted". From `supersededUntil` on, the status of a superseded memory is its
   * `supersededStatus`.
   */
  readonly status: string;
  readonly scope: string | null;
  readonly teamId: string | null;
  readonly projectId: string | null;
  /** A memory without a project is in none of them. */
  readonly allowedProjects: readonly string[] | null;
  /** The path itself or a path below it. */
  readonly pathPrefix: string | null;
  readonly allowedBuckets: readonly string[] | null;
  /** False drops what has "knowledge" as bucket or memory type. */
  readonly includeKnowledge: boolean;
  /** Of working memories only those of this session and of none; null: of any. */
  readonly session: string | null;
  /** Only these memories. */
  readonly ids: ReadonlySet<string> | null;
  /** Only what was stored by then. Milliseconds since the epoch. */
  readonly asOf: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One question to an index. */
export interface CandidateRequest {
  readonly query: QueryAnalysis;
  readonly filter: RecallFilter;
  /** Null while the embedder is away: the dense retriever then considers nothing, and coverage says so. */
  readonly embedding: QueryEmbedding | null;
  /** The number of the embedding generation that the vectors are of: an index that holds another compares none. */
  readonly embeddingGeneration?: number;
  /** Both for the ranker; one alone for its plain order (BM25 over exact pieces, or cosine). */
  readonly retrievers: readonly Retriever[];
  /** How many each retriever proposes, 1 to 1,000; 200 unless given. Neighbours and the newest are added. */
  readonly candidateCount?: number;
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
export interface ScopeStatistics {
  readonly memoryCount: number;
  readonly documentFrequency: readonly number[];
  readonly meanLength: number;
  readonly meanContextLength: number;
  readonly sessionCount: number;
  readonly sessionDocumentFrequency: readonly number[];
  readonly meanSessionLength: number;
  /** Every speaker in scope, once. */
  readonly speakers: readonly string[];
}

/**
 * One memory as the ranker sees it. Counts are soft term counts, parallel to the query's terms: the memory's
 * own, those of its window in the session (see `WINDOW` in `features.ts`), and the session's sum.
 */
export interface Candidate {
  readonly id: string;
  readonly ownerId: string;
  readonly seq: number;
  /** See `session-key.ts`. */
  readonly sessionKey: string | null;
  readonly own: Float32Array;
  readonly context: Float32Array;
  readonly session: Float32Array;
  /** In word pieces, as the two below; at least 1. */
  readonly length: number;
  readonly contextLength: number;
  readonly sessionLength: number;
  /** The memory before it in the session. */
  readonly previous: { readonly asks: boolean; readonly own: Float32Array; readonly length: number } | null;
  /** Cosine with the whole query, and the best with one of its sentences; null without a fitting vector. */
  readonly cosine: number | null;
  readonly sentenceCosine: number | null;
  /** The stored vector's int8 steps, to tell near-duplicates. */
  readonly vector: Int8Array | null;
  readonly speaker: string | null;
  readonly occurredAt: number;
  /** How many memories in scope are newer. */
  readonly newerCount: number;
  readonly isQuestion: boolean;
  readonly mentionsTime: boolean;
}
