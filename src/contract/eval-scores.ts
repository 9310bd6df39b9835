/** How answers are scored, in `recollect eval` and in the recall lab. Loads no zod: browsers load it. */

/** Public ids: what is expected of an answer, and what came. */
export interface JudgedAnswer {
  readonly relevant: readonly string[];
  readonly stale: readonly string[];
  /** Found by the search, best first. */
  readonly found: readonly string[];
  /** Shown in the context pack. */
  readonly packed: readonly string[];
  /** Forbidden ids that were found or shown. */
  readonly leaked: readonly string[];
}

/** Scores of one question. null if it names no relevant memory. */
export function scoresOf({ relevant, stale, found, packed, leaked }: JudgedAnswer) {
  const isRelevant = (id: string) => relevant.includes(id);
  const isStale = (id: string) => stale.includes(id);
  const [firstRelevant, firstStale] = [found.findIndex(isRelevant), found.findIndex(isStale)];
  const share = (shown: readonly string[]) =>
    relevant.length === 0 ? null : shown.filter(isRelevant).length / relevant.length;
  const recall10 = share(found.slice(0, 10));
  return {
    recall_at_5: share(found.slice(0, 5)),
    recall_at_10: recall10,
    any_at_10: recall10 === null ? null : Number(recall10 > 0),
    reciprocal_rank: relevant.length === 0 ? null : firstRelevant === -1 ? 0 : 1 / (firstRelevant + 1),
    pack_share: share(packed),
    stale: Number(
      (firstStale !== -1 && (firstRelevant === -1 || firstStale < firstRelevant)) ||
        (packed.some(isStale) && !packed.some(isRelevant)),
    ),
    leaks: leaked.length,
  };
}

/** null for no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
