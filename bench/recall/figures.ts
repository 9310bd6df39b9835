/** Figures of one query, or the mean of many; each 0 to 1. */
export interface Figures {
  /** Recall as the fraction of the relevant memories that were found. */
  readonly recall5: number;
  readonly recall10: number;
  readonly recall20: number;
  /** 1 if a relevant memory is the first, or among the first three or five. */
  readonly any1: number;
  readonly any3: number;
  readonly any5: number;
  /** 1 where at least one, or every, relevant memory is among the first ten. */
  readonly any10: number;
  readonly all10: number;
  readonly ndcg10: number;
  readonly mrr: number;
}

/** Figures of one answer. A relevant memory that was not found has no rank. */
export function figuresOf(found: readonly string[], relevant: readonly string[]): Figures {
  const ranks = [...new Set(relevant)]
    .map((ref) => found.indexOf(ref))
    .map((rank) => (rank < 0 ? Number.POSITIVE_INFINITY : rank));
  const within = (k: number) => ranks.filter((rank) => rank < k).length / ranks.length;
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const ideal = Array.from({ length: Math.min(ranks.length, 10) }, (_, rank) => gain(rank));
  return {
    recall5: within(5),
    recall10: within(10),
    recall20: within(20),
    any1: Number(within(1) > 0),
    any3: Number(within(3) > 0),
    any5: Number(within(5) > 0),
    any10: Number(within(10) > 0),
    all10: Number(within(10) === 1),
    ndcg10: sum(ranks.filter((rank) => rank < 10).map(gain)) / sum(ideal),
    mrr: 1 / (Math.min(...ranks) + 1),
  };
}

export function mean(figures: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => sum(figures.map((one) => one[name])) / Math.max(figures.length, 1);
  return {
    recall5: of("recall5"),
    recall10: of("recall10"),
    recall20: of("recall20"),
    any1: of("any1"),
    any3: of("any3"),
    any5: of("any5"),
    any10: of("any10"),
    all10: of("all10"),
    ndcg10: of("ndcg10"),
    mrr: of("mrr"),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
