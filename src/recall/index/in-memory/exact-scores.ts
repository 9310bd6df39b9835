import type { Steps } from "../../work.ts";
import type { ExactToken } from "../exact-terms.ts";
import { Exactness } from "../exactness.ts";
import type { QueryAnalysis } from "../query.ts";
import type { ScopeView } from "./scope-view.ts";
import { bestOfMemories } from "./scope-view.ts";
import type { TermCounts } from "./term-counts.ts";

/**
 * Scores the memories of a view by how well they have what the query names strictly, in any passage; memories are
 * proposed by it. The score is at the passage that has most of it. All other positions have 0.
 */
export function* exactScores(
  view: ScopeView,
  figures: { readonly memoryCount: number; documentFrequency(piece: number): number },
  query: QueryAnalysis,
  terms: TermCounts,
): Steps<Float32Array> {
  const exactness = new Exactness(query, figures.memoryCount, (piece) => figures.documentFrequency(piece));
  const counted = { view, exactness, terms };
  const ofMemories = new Float32Array(view.memoryCount);
  const ofPassages = new Float32Array(view.size);
  for (const [name, { tokens, isStrict }] of exactness.names.entries()) {
    if (!isStrict) continue;
    const held = yield* memoriesWith(tokens, counted);
    for (const [memory, match] of held)
      ofMemories[memory] = (ofMemories[memory] as number) + exactness.scale(name) * match;
    if (held.size > 0) addPassages(ofPassages, held, tokens, exactness.scale(name), counted);
    yield;
  }
  return bestOfMemories(view, ofPassages).map((here, position) =>
    here > 0 ? (ofMemories[view.memory[position] as number] as number) : 0,
  );
}

interface Counted {
  readonly view: ScopeView;
  readonly exactness: Exactness;
  readonly terms: TermCounts;
}

/** The memories that have every token, in any of their passages, with how well they match. */
function* memoriesWith(tokens: readonly ExactToken[], counted: Counted): Steps<ReadonlyMap<number, number>> {
  const entriesOf = (token: ExactToken) =>
    token.reduce((sum, { piece }) => {
      const [start, end] = entriesAt(piece, counted);
      return sum + end - start;
    }, 0);
  let held: ReadonlyMap<number, number> | null = null;
  for (const token of tokens.toSorted((a, b) => entriesOf(a) - entriesOf(b))) {
    held = withToken(held, token, counted);
    if (held.size === 0) return held;
    yield;
  }
  return held ?? new Map();
}

/** Keeps the memories that also have a token. With null, returns all memories that have it. */
function withToken(
  held: ReadonlyMap<number, number> | null,
  token: ExactToken,
  counted: Counted,
): ReadonlyMap<number, number> {
  const { view, terms } = counted;
  const found = new Map<number, number>();
  for (const { piece, match } of token) {
    const [start, end] = entriesAt(piece, counted);
    for (let at = start; at < end; at++) {
      const memory = view.memory[terms.positions[at] as number] as number;
      const before = held === null ? 1 : held.get(memory);
      if (before === undefined) continue;
      found.set(memory, Math.max(found.get(memory) ?? 0, Math.min(before, match)));
    }
  }
  return found;
}

/** Adds to each passage of these memories its share of a name. */
function addPassages(
  ofPassages: Float32Array,
  held: ReadonlyMap<number, number>,
  tokens: readonly ExactToken[],
  scale: number,
  counted: Counted,
): void {
  const { view, terms } = counted;
  for (const { piece, match } of tokens.flat()) {
    const [start, end] = entriesAt(piece, counted);
    for (let at = start; at < end; at++) {
      const position = terms.positions[at] as number;
      if (held.has(view.memory[position] as number))
        ofPassages[position] = (ofPassages[position] as number) + (scale * match) / tokens.length;
    }
  }
}

/** The range of a piece's entries among the counts. */
function entriesAt(piece: number, { exactness, terms }: Counted): [start: number, end: number] {
  const place = exactness.placeOf(piece);
  return [terms.offsets[place] as number, terms.offsets[place + 1] as number];
}
