import type { Lexicon } from "../../language/lexicon.ts";
import type { Steps } from "../../work.ts";
import type { QueryTerm } from "../query.ts";
import { plainSaturation, SESSION_COUNT_MIN, WINDOW, WINDOW_CEILING } from "../weights.ts";
import { FREQUENCY_BITS, FREQUENCY_MAX, grown } from "./memory-set.ts";
import type { ScopeView } from "./scope-view.ts";

/**
 * Maximum number of near pieces that count for a query piece, out of those that occur in the scope. Source: recall.md,
 * "Soft count".
 */
export const NEAR_PIECES_MAX = 16;

/** A request's arrays that are larger than this are not kept for the next request. */
const SCRATCH_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Soft counts of each query term over a view: the positions that have it, and how much. Buffers are reused between
 * queries, so the counts are valid until the next `count`.
 */
export class TermCounts {
  /** Start of each term's entries, and finally the end of the last term's. */
  offsets: number[] = [0];
  positions = new Int32Array(1024);
  counts = new Float32Array(1024);
  #sums = new Float32Array(0);
  #touched = new Int32Array(0);

  /** Releases the arrays of a large view. */
  release(): void {
    const { buffer } = this.positions;
    if (2 * (buffer.byteLength + this.#sums.byteLength) <= SCRATCH_BYTES_MAX) return;
    this.positions = new Int32Array(1024);
    this.counts = new Float32Array(1024);
    this.#sums = new Float32Array(0);
    this.#touched = new Int32Array(0);
  }

  /** Counts the terms, including near pieces if `soft`, otherwise exactly. */
  *count(
    view: ScopeView,
    counted: readonly QueryTerm[],
    { lexicon, soft }: { lexicon: Lexicon; soft: boolean },
  ): Steps<void> {
    this.#sums = grown(this.#sums, view.size);
    this.#touched = grown(this.#touched, view.size);
    this.offsets = [0];
    for (const { piece, isExact } of counted) {
      const touched =
        soft && !isExact ? this.#addNear(view, piece, lexicon) : this.#addPiece(view, piece, 1, 0);
      this.#collect(touched);
      yield;
    }
  }

  /** Scores every position by its window's counts, like the ranker's lexical feature. Writes to `scores`. */
  *scoreWindows(view: ScopeView, weights: Float64Array, scores: Float32Array): Steps<void> {
    const { contextNorm } = view;
    const sums = this.#sums;
    scores.fill(0, 0, view.size);
    for (let term = 0; term < weights.length; term++) {
      if (weights[term] === 0) continue;
      const touched = this.#spread(view, term);
      const ceiling = WINDOW_CEILING * (weights[term] as number);
      for (let at = 0; at < touched; at++) {
        const position = this.#touched[at] as number;
        const sum = sums[position] as number;
        scores[position] =
          (scores[position] as number) + (ceiling * sum) / (sum + (contextNorm[position] as number));
        sums[position] = 0;
      }
      yield;
    }
  }

  /** Sums a term's counts over the windows. A memory is the "next" of its predecessor, and vice versa. */
  #spread(view: ScopeView, term: number): number {
    const { previous, next } = view;
    const end = this.offsets[term + 1] as number;
    let touched = 0;
    for (let at = this.offsets[term] as number; at < end; at++) {
      const position = this.positions[at] as number;
      const count = this.counts[at] as number;
      touched = this.#add(position, count, touched);
      const before = previous[position] as number;
      if (before >= 0) {
        touched = this.#add(before, WINDOW.next * count, touched);
        const twoBefore = previous[before] as number;
        if (twoBefore >= 0) touched = this.#add(twoBefore, WINDOW.next2 * count, touched);
      }
      const after = next[position] as number;
      if (after >= 0) {
        touched = this.#add(after, WINDOW.previous * count, touched);
        const twoAfter = next[after] as number;
        if (twoAfter >= 0) touched = this.#add(twoAfter, WINDOW.previous2 * count, touched);
      }
    }
    return touched;
  }

  /** Adds to a position's sum. Returns the number of positions with a sum. */
  #add(position: number, amount: number, touched: number): number {
    const sum = this.#sums[position] as number;
    this.#sums[position] = sum + amount;
    if (sum !== 0) return touched;
    this.#touched[touched] = position;
    return touched + 1;
  }

  /** Scores every position by its own counts with plain BM25. Writes to `scores`. */
  scoreOwn(view: ScopeView, weights: Float64Array, meanLength: number, scores: Float32Array): void {
    scores.fill(0, 0, view.size);
    for (let term = 0; term < weights.length; term++) {
      for (let at = this.offsets[term] as number; at < (this.offsets[term + 1] as number); at++) {
        const position = this.positions[at] as number;
        const share = plainSaturation(this.counts[at] as number, view.length[position] as number, meanLength);
        scores[position] = (scores[position] as number) + (weights[term] as number) * share;
      }
    }
  }

  /** Per term, the number of sessions with a memory that has it. */
  sessionFrequencies(view: ScopeView): number[] {
    const seen = new Int32Array(view.sessionLength.length).fill(-1);
    return this.offsets.slice(1).map((end, term) => {
      let frequency = 0;
      for (let at = this.offsets[term] as number; at < end; at++) {
        const session = view.session[this.positions[at] as number] as number;
        if ((this.counts[at] as number) <= SESSION_COUNT_MIN || seen[session] === term) continue;
        seen[session] = term;
        frequency++;
      }
      return frequency;
    });
  }

  /**
   * Gathers counts into rows with one cell per term. `rowOf` gives the row for a position's counts (−1: none), indexed
   * by position or, with `groupOf`, by the position's group.
   */
  *gather(rowOf: Int32Array, rowCount: number, groupOf: Int32Array | null): Steps<Float32Array> {
    const terms = this.offsets.length - 1;
    const rows = new Float32Array(rowCount * terms);
    for (let term = 0; term < terms; term++) {
      const end = this.offsets[term + 1] as number;
      for (let at = this.offsets[term] as number; at < end; at++) {
        const position = this.positions[at] as number;
        const row = rowOf[groupOf === null ? position : (groupOf[position] as number)] as number;
        if (row < 0) continue;
        const cell = row * terms + term;
        rows[cell] = (rows[cell] as number) + (this.counts[at] as number);
      }
      yield;
    }
    return rows;
  }

  #addNear(view: ScopeView, piece: number, lexicon: Lexicon): number {
    const { pieces, weights } = lexicon.near(piece);
    let touched = 0;
    for (let at = 0, used = 0; at < pieces.length && used < NEAR_PIECES_MAX; at++) {
      const before = this.#hits;
      touched = this.#addPiece(view, pieces[at] as number, weights[at] as number, touched);
      if (this.#hits > before) used++;
    }
    return touched;
  }

  /** Number of entries in scope that were added. Shows whether a piece occurs at all. */
  #hits = 0;

  #addPiece(view: ScopeView, piece: number, weight: number, touchedBefore: number): number {
    const sums = this.#sums;
    let touched = touchedBefore;
    for (const { memories, positionOf } of view.parts) {
      const posting = memories.postings.get(piece);
      if (posting === undefined) continue;
      const { entries, count } = posting;
      for (let at = 0; at < count; at++) {
        const entry = entries[at] as number;
        const position = positionOf[entry >>> FREQUENCY_BITS] as number;
        const frequency = entry & FREQUENCY_MAX;
        if (position < 0 || frequency === 0) continue;
        this.#hits++;
        if (sums[position] === 0) this.#touched[touched++] = position;
        sums[position] = (sums[position] as number) + frequency * weight;
      }
    }
    return touched;
  }

  /** Moves one term's sums to its entries. */
  #collect(touched: number): void {
    const start = this.offsets[this.offsets.length - 1] as number;
    this.positions = grown(this.positions, start + touched);
    this.counts = grown(this.counts, start + touched);
    for (let at = 0; at < touched; at++) {
      const position = this.#touched[at] as number;
      this.positions[start + at] = position;
      this.counts[start + at] = this.#sums[position] as number;
      this.#sums[position] = 0;
    }
    this.offsets.push(start + touched);
  }
}
