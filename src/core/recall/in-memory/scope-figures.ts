import type { QueryAnalysis } from "../query.ts";
import type { ScopeStatistics } from "../recall-index.ts";
import { documentFrequency, type ScopeView } from "./scope-view.ts";
import type { TermCounts } from "./term-counts.ts";

/** How common pieces are in a scope. */
export interface PieceFigures {
  readonly memoryCount: number;
  /** In how many memories a piece occurs. */
  documentFrequency(piece: number): number;
}

/** What is known of everything in scope, whatever part of it a view holds. */
export interface ScopeFigures extends PieceFigures {
  readonly meanLength: number;
  /** How many memories are newer than the one at a position of the view. */
  newerCount(position: number): number;
  /** With the query's terms as they were counted in the view. */
  statistics(query: QueryAnalysis, terms: TermCounts): ScopeStatistics;
}

/** The figures of a view that holds everything in scope. */
export function figuresOf(view: ScopeView): ScopeFigures {
  const frequency = (piece: number) => documentFrequency(view, piece);
  return {
    memoryCount: view.size,
    meanLength: view.meanLength,
    documentFrequency: frequency,
    newerCount: (position) => view.size - 1 - position,
    statistics: (query, terms) => ({
      memoryCount: view.size,
      documentFrequency: query.terms.map(({ piece }) => frequency(piece)),
      meanLength: view.meanLength,
      meanContextLength: view.meanContextLength,
      sessionCount: view.sessionLength.length,
      sessionDocumentFrequency: terms.sessionFrequencies(view),
      meanSessionLength: mean(view.sessionLength),
      speakers: view.speakers,
    }),
  };
}

function mean(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}
