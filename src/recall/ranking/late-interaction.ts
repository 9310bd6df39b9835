import type { TokenVectors } from "../index/packed-tokens.ts";
import type { TokenModel } from "../index/token-model.ts";
import { inTurns, type Pace } from "../work.ts";
import { type RankedHit, rankScoreOf, WEIGHTS } from "./rank.ts";
import { tokenMatches } from "./token-matches.ts";

/**
 * Number of ranked hits that are compared. Relevant ones are hardly ever further down, and reading vectors takes time.
 */
const COMPARED_MAX = 200;

/**
 * Weight of late interaction, and the shares that words and the dense vector keep beside it, since the three overlap.
 * Source: recall.md, "M2"; held-out sets were not used to choose them.
 */
const LATE = 0.6;
const LEFT_OF_LEXICAL = 0.8;
const LEFT_OF_DENSE = 0.5;

/** Weights of the ranker's signals when late interaction takes part. */
export const WEIGHTS_WITH_LATE = {
  ...WEIGHTS,
  lexical: WEIGHTS.lexical * LEFT_OF_LEXICAL,
  dense: WEIGHTS.dense * LEFT_OF_DENSE,
  late: LATE,
} as const;

/**
 * Reorders the ranked hits by late interaction with the query. `query`: its vectors by the model. `share`: how much the
 * comparison counts, 0 to 1. Among the many pieces of long texts some are near to any query, so pass `contextTrust`.
 */
export async function rankLate(
  { model: { dimension, passages }, query }: { readonly model: TokenModel; readonly query: TokenVectors },
  ranked: readonly RankedHit[],
  { pace, share }: { readonly pace: Pace; readonly share: number },
): Promise<RankedHit[]> {
  const compared = ranked.slice(0, COMPARED_MAX);
  const read = await passages(
    compared.map(({ id, ownerId, passage }) => ({ ownerId, memory: id, passage: passage ?? 0 })),
  );
  return withLate(ranked, await inTurns(tokenMatches(query, read, dimension), pace), share);
}

/** With fewer matches, the lowest and highest say nothing about the others, unless they are half of all. */
const KNOWN_MIN = 20;

/**
 * Replaces part of the words' and the dense vector's signals by late interaction. `matches` is parallel to the first of
 * the ranked hits. null: not compared, because the hit has no vectors or ranks too low.
 *
 * A match counts by its place between the lowest and the highest. The mean gain over the replaced signals is
 * subtracted. A hit that was not compared therefore keeps its signals, and ranks like one about which the model says
 * nothing new. With half of the vectors missing at random, RealMem's development part has 51.8 % of the relevant
 * memories without vectors among the first ten (53.4 without the model) and 56.2 of the others (51.9). Without
 * subtracting the mean: 44.5 and 60.1.
 */
export function withLate(
  ranked: readonly RankedHit[],
  matches: readonly (number | null)[],
  share: number,
): RankedHit[] {
  const late = lateSignals(ranked, matches, share);
  if (late === null) return [...ranked];
  return inOrder(
    ranked.map((hit, at) => {
      const [match, signal] = [matches[at], late[at]];
      return match == null || signal == null ? hit : withSignal({ ...hit, tokenMatch: match }, signal, share);
    }),
  );
}

/** Signals parallel to the ranked hits; null if too few matches are known. */
function lateSignals(
  ranked: readonly RankedHit[],
  matches: readonly (number | null)[],
  share: number,
): (number | null)[] | null {
  const known = matches.filter((match) => match !== null);
  const least = Math.min(...known);
  const range = Math.max(...known) - least;
  if (known.length < Math.min(KNOWN_MIN, matches.length / 2) || !(range > 0)) return null;
  const gains = matches.map((match) => (match === null ? null : (share * LATE * (match - least)) / range));
  const beyond = gains.map((gain, at) =>
    gain === null ? 0 : gain - replaced(ranked[at] as RankedHit, share),
  );
  const mean = beyond.reduce((sum, one) => sum + one, 0) / known.length;
  return gains.map((gain) => (gain === null ? null : gain - mean));
}

/** The part of a hit's signals that late interaction replaces. */
function replaced({ signals: { lexical = 0, dense = 0 } }: RankedHit, share: number): number {
  return share * (lexical * (1 - LEFT_OF_LEXICAL) + dense * (1 - LEFT_OF_DENSE));
}

function withSignal(hit: RankedHit, late: number, share: number): RankedHit {
  const { lexical = 0, dense = 0 } = hit.signals;
  const left = {
    lexical: lexical * (1 - share * (1 - LEFT_OF_LEXICAL)),
    dense: dense * (1 - share * (1 - LEFT_OF_DENSE)),
  };
  return { ...hit, signals: { ...hit.signals, ...left, late } };
}

/** Sorts best first; ties keep their order. */
function inOrder(hits: readonly RankedHit[]): RankedHit[] {
  const totals = new Map(hits.map((hit) => [hit, rankScoreOf(hit.signals)]));
  return hits.toSorted((a, b) => (totals.get(b) as number) - (totals.get(a) as number));
}
