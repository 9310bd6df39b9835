import { SESSION_COUNT_MIN, WINDOW } from "../../core/recall/features.ts";
import type { PieceFigures, ScopeFigures } from "../../core/recall/in-memory/scope-figures.ts";
import type { ScopeView } from "../../core/recall/in-memory/scope-view.ts";
import { sessionKey } from "../../core/recall/session-key.ts";
import { type Pool, sessionName } from "./pool.ts";
import type { PieceCounts, ScopeCounts, TermPieces } from "./scope-counts.ts";
import type { TailMemory } from "./tail-reader.ts";

/** What the engine counted, and what the tail adds to it. */
export interface Tallied {
  readonly pieces: PieceCounts;
  readonly scope: ScopeCounts;
  readonly tail: readonly TailMemory[];
}

/** How many memories there are, and have a piece, with the tail's. */
export function pooledPieces({ pieces, tail }: Pick<Tallied, "pieces" | "tail">): PieceFigures {
  const { memoryCount, frequencies } = pieces;
  const pooled = new Map(frequencies);
  for (const { words } of tail) {
    for (const piece of words.frequencies.keys()) {
      const shown = pooled.get(piece);
      if (shown !== undefined) pooled.set(piece, shown + 1);
    }
  }
  return {
    memoryCount: memoryCount + tail.length,
    documentFrequency: (piece) => pooled.get(piece) ?? 0,
  };
}

/** Mean length of a memory, and of its window. */
export function meanLengths({ pieces, scope, tail }: Tallied): {
  meanLength: number;
  meanContextLength: number;
} {
  const count = Math.max(1, pieces.memoryCount + tail.length);
  const meanLength = totalLength({ scope, tail }) / count;
  // All but a session's first have one before them, all but its first two have two. Where those lie is no matter of length.
  const named = scope.sessionCount - (pieces.memoryCount - scope.inSession);
  const one = Math.max(0, scope.inSession - named) / count;
  const two = Math.max(0, scope.inSession - 2 * named) / count;
  const shares = 1 + (WINDOW.previous + WINDOW.next) * one + (WINDOW.previous2 + WINDOW.next2) * two;
  return { meanLength, meanContextLength: meanLength * shares };
}

function totalLength({ scope, tail }: Pick<Tallied, "scope" | "tail">): number {
  return tail.reduce((sum, { words }) => sum + words.length, scope.totalLength);
}

/**
 * The figures of a scope for a view of what was proposed in it. `terms` run parallel to the query's; the view was made of
 * `pool`.
 */
export function engineFigures(
  counted: Tallied,
  { view, terms, pool }: { view: ScopeView; terms: readonly TermPieces[]; pool: Pool },
): ScopeFigures {
  const { scope, tail } = counted;
  const { memoryCount, documentFrequency } = pooledPieces(counted);
  const { meanLength, meanContextLength } = meanLengths(counted);
  const newest = [...scope.newest, ...tail.map(({ document }) => document.seq)].sort((a, b) => b - a);
  const sessions = tail.length === 0 ? [] : newSessions(tail, pool.shownSessions());
  const sessionCount = scope.sessionCount + sessions.length;
  return {
    memoryCount,
    meanLength,
    documentFrequency,
    newerCount: (position) => countAbove(newest, seqAt(view, position)),
    statistics: (query) => ({
      memoryCount,
      documentFrequency: query.terms.map(({ piece }) => documentFrequency(piece)),
      meanLength,
      meanContextLength,
      sessionCount,
      sessionDocumentFrequency: terms.map((pieces, at) =>
        sessions.reduce(
          (sum, session) => sum + Number(hasTerm(session, pieces)),
          scope.termSessions[at] ?? 0,
        ),
      ),
      meanSessionLength: totalLength(counted) / Math.max(1, sessionCount),
      speakers: [
        ...new Set([...scope.speakers, ...tail.flatMap(({ document: { source } }) => source ?? [])]),
      ].sort(),
    }),
  };
}

/** The tail's sessions of which the engine shows nothing, each as its memories. */
function newSessions(tail: readonly TailMemory[], shown: ReadonlySet<string>): (readonly TailMemory[])[] {
  const sessions = new Map<string, TailMemory[]>();
  for (const memory of tail) {
    const session = sessionKey(memory.document);
    const name =
      session === null ? memory.document.id : sessionName({ ownerId: memory.document.ownerId, session });
    if (shown.has(name)) continue;
    const held = sessions.get(name);
    if (held === undefined) sessions.set(name, [memory]);
    else held.push(memory);
  }
  return [...sessions.values()];
}

function hasTerm(session: readonly TailMemory[], pieces: TermPieces): boolean {
  return session.some(({ words }) => {
    const count = pieces.reduce((sum, piece) => sum + (words.frequencies.get(piece) ?? 0), 0);
    return count > SESSION_COUNT_MIN;
  });
}

function seqAt(view: ScopeView, position: number): number {
  const { seq } = view.parts[view.part[position] as number]?.memories.slots ?? {};
  return seq?.[view.slot[position] as number] as number;
}

/** How many of falling numbers are above one. */
function countAbove(falling: readonly number[], bound: number): number {
  let [low, high] = [0, falling.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((falling[middle] as number) > bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
