import type { TokenVectors } from "../index/packed-tokens.ts";
import type { TokenModel } from "../index/token-model.ts";
import { inTurns, type Pace } from "../work.ts";
import { type RankedHit, WEIGHTS } from "./rank.ts";
import { tokenMatches } from "./token-matches.ts";

/** So many of the ranked are compared. What is relevant is hardly ever behind them, and to read vectors takes time. */
const COMPARED_MAX = 200;

/**
 * What late interaction counts for, and what it leaves of words and of the dense vector, which tell a part of the same. Source:
 * recall.md, "M2"; held-out sets were not used to choose them.
 */
const LATE = 0.6;
const LEFT_OF_LEXICAL = 0.8;
const LEFT_OF_DENSE = 0.5;

/** What the ranker's signals count for where late interaction takes part. */
export const WEIGHTS_WITH_LATE = {
  ...WEIGHTS,
  lexical: WEIGHTS.lexical * LEFT_OF_LEXICAL,
  dense: WEIGHTS.dense * LEFT_OF_DENSE,
  late: LATE,
} as const;

/** The ranked in the order that late interaction with the query gives them. `query`: its vectors by the model. */
export async function rankLate(
  { model: { dimension, passages }, query }: { readonly model: TokenModel; readonly query: TokenVectors },
  ranked: readonly RankedHit[],
  pace: Pace,
): Promise<RankedHit[]> {
  const compared = ranked.slice(0, COMPARED_MAX);
  const read = await passages(
    compared.map(({ id, ownerId, passage }) => ({ ownerId, memory: id, passage: passage ?? 0 })),
  );
  return withLate(ranked, await inTurns(tokenMatches(query, read, dimension), pace));
}

/** Of fewer the least and the best tell nothing of the others, unless they are half of all. */
const KNOWN_MIN = 20;

/**
 * The ranked, with late interaction in the place of a part of words and of the dense vector. `matches` runs parallel to the
 * first of them; null: not compared, since it has no vectors or is behind.
 *
 * A match counts by its place between the least and the best, less what matches bring on the average beyond what they replace.
 * So what was not compared keeps its signals, and stands among the others as one of which the model has nothing new to say. With
 * half of the vectors missing at random, RealMem's development part has 51.8 % of the relevant memories without vectors among
 * the first ten (53.4 without the model) and 56.2 of the others (51.9); without taking the average off, 44.5 and 60.1.
 */
export function withLate(ranked: readonly RankedHit[], matches: readonly (number | null)[]): RankedHit[] {
  const late = lateSignals(ranked, matches);
  if (late === null) return [...ranked];
  return inOrder(
    ranked.map((hit, at) => {
      const [match, signal] = [matches[at], late[at]];
      return match == null || signal == null ? hit : withSignal({ ...hit, tokenMatch: match }, signal);
    }),
  );
}

/** Parallel to the ranked; null where too few are known. */
function lateSignals(
  ranked: readonly RankedHit[],
  matches: readonly (number | null)[],
): (number | null)[] | null {
  const known = matches.filter((match) => match !== null);
  const least = Math.min(...known);
  const range = Math.max(...known) - least;
  if (known.length < Math.min(KNOWN_MIN, matches.length / 2) || !(range > 0)) return null;
  const gains = matches.map((match) => (match === null ? null : (LATE * (match - least)) / range));
  const beyond = gains.map((gain, at) => (gain === null ? 0 : gain - replaced(ranked[at] as RankedHit)));
  const mean = beyond.reduce((sum, one) => sum + one, 0) / known.length;
  return gains.map((gain) => (gain === null ? null : gain - mean));
}

/** What late interaction takes the place of. */
function replaced({ signals: { lexical = 0, dense = 0 } }: RankedHit): number {
  return lexical * (1 - LEFT_OF_LEXICAL) + dense * (1 - LEFT_OF_DENSE);
}

function withSignal(hit: RankedHit, late: number): RankedHit {
  const { lexical = 0, dense = 0 } = hit.signals;
  const left = { lexical: lexical * LEFT_OF_LEXICAL, dense: dense * LEFT_OF_DENSE };
  return { ...hit, signals: { ...hit.signals, ...left, late } };
}

/** Best first; equals stay as they are. */
function inOrder(hits: readonly RankedHit[]): RankedHit[] {
  const totals = new Map(
    hits.map((hit) => [hit, Object.values(hit.signals).reduce((sum, one) => sum + one, 0)]),
  );
  return hits.toSorted((a, b) => (totals.get(b) as number) - (totals.get(a) as number));
}
