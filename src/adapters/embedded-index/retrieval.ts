import { inverseFrequency, termWeights } from "../../core/recall/features.ts";
import type { Int8Dots } from "../../core/recall/int8-dots.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import type { CandidateRequest, CandidateSet, QueryVectors } from "../../core/recall/recall-index.ts";
import { describeCandidates } from "./candidates.ts";
import { NO_COSINE, scanCosines } from "./cosines.ts";
import { grown } from "./growable.ts";
import { documentFrequency, type ScopeView } from "./scope-view.ts";
import { TermCounts } from "./term-counts.ts";
import { topPositions } from "./top-positions.ts";

const CANDIDATES_DEFAULT = 200;
const CANDIDATES_MAX = 1000;
/** The newest memories are always looked at: what was just said needs no shared word. */
const NEWEST = 20;
/**
 * The part of each retriever's candidates whose neighbours are candidates too. All of them would double the
 * work for .1 points of recall; without any, .2 are lost: a window scores its neighbours too.
 */
const NEIGHBOURED_SHARE = 0.25;

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

  /** The candidates of a request within its view. Runs to the end without yielding. */
  candidates(view: ScopeView, request: CandidateRequest): Omit<CandidateSet, "unavailable"> {
    const { query, retrievers } = request;
    const isPlain = retrievers.length === 1;
    const pieces = query.terms.map(({ piece }) => piece);
    const frequencies = pieces.map((piece) => documentFrequency(view, piece));
    this.#terms.count(view, pieces, this.#lexicon, !isPlain);
    const vectors = retrievers.includes("dense") ? this.#embed(view, request) : null;
    const covered = this.#scanCosines(view, vectors);
    const positions = this.#choose(
      view,
      request,
      termWeights(query, view.size, frequencies),
      vectors !== null,
    );
    return {
      retrievers,
      statistics: {
        memoryCount: view.size,
        documentFrequency: frequencies,
        meanLength: view.meanLength,
        meanContextLength: view.meanContextLength,
        sessionCount: view.sessionLength.length,
        sessionDocumentFrequency: this.#terms.sessionFrequencies(view),
        meanSessionLength: mean(view.sessionLength),
        speakers: view.speakers,
      },
      candidates: describeCandidates(view, positions, this.#terms, vectors, this.#cosines, this.#dots),
      coverage: new Map(
        view.parts.map(({ ownerId, count }, part) => {
          const isWhole = count === 0 || !retrievers.includes("dense");
          return [ownerId, isWhole ? 1 : (covered[part] ?? 0) / count];
        }),
      ),
    };
  }

  #embed(view: ScopeView, { query, embedding }: CandidateRequest): QueryVectors | null {
    if (embedding === null || view.size === 0) return null;
    const weights = new Map(
      query.pieces.map((piece) => [
        piece,
        Math.sqrt(inverseFrequency(view.size, documentFrequency(view, piece))),
      ]),
    );
    return embedding((piece) => weights.get(piece) ?? 1);
  }

  #scanCosines(view: ScopeView, vectors: QueryVectors | null): number[] {
    if (vectors === null) return [];
    this.#cosines = grown(this.#cosines, view.size);
    return scanCosines(view, vectors.whole, this.#dots, this.#cosines);
  }

  /** Positions of the candidates, rising. */
  #choose(
    view: ScopeView,
    request: CandidateRequest,
    weights: Float64Array,
    hasVectors: boolean,
  ): Int32Array {
    const count = Math.min(CANDIDATES_MAX, Math.max(1, request.candidateCount ?? CANDIDATES_DEFAULT));
    const isPlain = request.retrievers.length === 1;
    const chosen = new Uint8Array(view.size);
    const columns: (readonly [scores: Float32Array, above: number])[] = [];
    if (request.retrievers.includes("lexical")) {
      this.#scores = grown(this.#scores, view.size);
      if (isPlain) this.#terms.scoreOwn(view, weights, this.#scores);
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

function mean(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}
