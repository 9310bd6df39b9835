import type { QueryVectors } from "../../embedding/embedder.ts";
import { inverseFrequency, termWeights } from "../features.ts";
import type { Int8Dots } from "../int8-dots.ts";
import type { Lexicon } from "../lexicon.ts";
import type { QueryAnalysis } from "../query.ts";
import type { CandidateRequest, CandidateSet } from "../recall-index.ts";
import { describeCandidates } from "./candidates.ts";
import { NO_COSINE, scanCosines } from "./cosines.ts";
import { grown } from "./growable.ts";
import type { PieceFigures, ScopeFigures } from "./scope-figures.ts";
import type { ScopeView } from "./scope-view.ts";
import { TermCounts } from "./term-counts.ts";
import { topPositions } from "./top-positions.ts";

const CANDIDATES_DEFAULT = 200;
const CANDIDATES_MAX = 1000;
/** The newest memories are always looked at: what was just said needs no shared word. */
export const NEWEST = 20;
/**
 * The part of each retriever's candidates whose neighbours are candidates too. All of them would double the
 * work for .1 points of recall; without any, .2 are lost: a window scores its neighbours too.
 */
const NEIGHBOURED_SHARE = 0.25;

/** How many candidates each retriever proposes. */
export function candidateCount({ candidateCount: wanted }: CandidateRequest): number {
  return Math.min(CANDIDATES_MAX, Math.max(1, wanted ?? CANDIDATES_DEFAULT));
}

/** The weights of the query's terms in a scope. */
export function scopeWeights(figures: PieceFigures, query: QueryAnalysis): Float64Array {
  const frequencies = query.terms.map(({ piece }) => figures.documentFrequency(piece));
  return termWeights(query, figures.memoryCount, frequencies);
}

/** The query's vectors, its pieces weighted by how much they say in the scope; null without any. */
export function queryVectors(
  figures: PieceFigures,
  { query, embedding }: CandidateRequest,
): QueryVectors | null {
  const { memoryCount } = figures;
  if (embedding === null || memoryCount === 0) return null;
  const weights = new Map(
    query.pieces.map((piece) => [
      piece,
      Math.sqrt(inverseFrequency(memoryCount, figures.documentFrequency(piece))),
    ]),
  );
  return embedding((piece) => weights.get(piece) ?? 1);
}

/** What a view answers to a request. */
export interface ViewCandidates extends Pick<CandidateSet, "retrievers" | "statistics" | "candidates"> {
  /** By part of the view, how many memories the dense retriever could consider; empty where it did not. */
  readonly covered: readonly number[];
}

/** Answers requests from a view. It keeps its buffers from one to the next, so one serves all requests. */
export class Retrieval {
  #lexicon: Lexicon;
  #dots: Int8Dots;
  #terms = new TermCounts();
  #scores = new Float32Array(0);
  #cosines = new Float32Array(0);

  constructor(lexicon: Lexicon, dots: Int8Dots) {
    this.#lexicon = lexicon;
    this.#dots = dots;
  }

  /** The candidates of a request within a view, with the figures of its scope. Runs to the end without yielding. */
  candidates(view: ScopeView, figures: ScopeFigures, request: CandidateRequest): ViewCandidates {
    const { query, retrievers } = request;
    const pieces = query.terms.map(({ piece }) => piece);
    this.#terms.count(view, pieces, this.#lexicon, retrievers.length > 1);
    const vectors = retrievers.includes("dense") ? queryVectors(figures, request) : null;
    const covered = this.#scanCosines(view, vectors);
    const positions = this.#choose(view, figures, request, vectors !== null);
    return {
      retrievers,
      statistics: figures.statistics(query, this.#terms),
      candidates: describeCandidates(
        view,
        figures,
        positions,
        this.#terms,
        vectors,
        this.#cosines,
        this.#dots,
      ),
      covered,
    };
  }

  #scanCosines(view: ScopeView, vectors: QueryVectors | null): number[] {
    if (vectors === null) return [];
    this.#cosines = grown(this.#cosines, view.size);
    return scanCosines(view, vectors.whole, this.#dots, this.#cosines);
  }

  /** Positions of the candidates, rising. */
  #choose(
    view: ScopeView,
    figures: ScopeFigures,
    request: CandidateRequest,
    hasVectors: boolean,
  ): Int32Array {
    const count = candidateCount(request);
    const isPlain = request.retrievers.length === 1;
    const chosen = new Uint8Array(view.size);
    const columns: (readonly [scores: Float32Array, above: number])[] = [];
    if (request.retrievers.includes("lexical")) {
      this.#scores = grown(this.#scores, view.size);
      const weights = scopeWeights(figures, request.query);
      if (isPlain) this.#terms.scoreOwn(view, weights, figures.meanLength, this.#scores);
      else this.#terms.scoreWindows(view, weights, this.#scores);
      columns.push([this.#scores, 0]);
    }
    if (hasVectors) columns.push([this.#cosines, NO_COSINE]);
    if (!isPlain) {
      // First the best with their neighbours, since what follows a match may be what was asked for.
      const leading = Math.ceil(count * NEIGHBOURED_SHARE);
      for (const [scores, above] of columns) mark(chosen, topPositions(scores, view.size, leading, above));
      for (const position of marked(chosen)) {
        const before = view.previous[position] as number;
        const after = view.next[position] as number;
        if (before >= 0) chosen[before] = 1;
        if (after >= 0) chosen[after] = 1;
      }
      chosen.fill(1, Math.max(0, view.size - NEWEST));
    }
    for (const [scores, above] of columns) mark(chosen, topPositions(scores, view.size, count, above));
    return marked(chosen);
  }
}

function mark(chosen: Uint8Array, positions: Int32Array): void {
  for (let at = 0; at < positions.length; at++) chosen[positions[at] as number] = 1;
}

function marked(chosen: Uint8Array): Int32Array {
  const positions = new Int32Array(chosen.length);
  let count = 0;
  for (let position = 0; position < chosen.length; position++) {
    if (chosen[position] === 1) positions[count++] = position;
  }
  return positions.slice(0, count);
}
