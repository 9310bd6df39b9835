const RANK_UNIT = 2 ** 32;

/** A pair's rank in the vocabulary, or -1 where the two do not merge. Offsets are into the piece. */
export type PairRank = (start: number, end: number) => number;

/**
 * How many tokens byte pair encoding leaves of a piece of `length` bytes: the pair of lowest rank, leftmost
 * first, is merged until none can be. The same result as the textbook loop, which looks through all pairs
 * for each merge; here a heap holds them, so a run of n equal bytes costs n log n and not n².
 */
export function mergedPieceCount(length: number, rankOf: PairRank): number {
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  const pairRank = new Int32Array(length).fill(-1);
  const heap = new MinHeap(length * 3);
  for (let i = 0; i <= length; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
  }
  const rankPairAt = (start: number): void => {
    const middle = next[start] as number;
    const rank = middle < length ? rankOf(start, next[middle] as number) : -1;
    pairRank[start] = rank;
    if (rank >= 0) heap.push(rank * RANK_UNIT + start);
  };
  for (let i = 0; i < length - 1; i++) rankPairAt(i);

  let count = length;
  for (let top = heap.pop(); top >= 0; top = heap.pop()) {
    const start = top % RANK_UNIT;
    // A pair changed by a later merge stays in the heap under its old rank: passed over here.
    if (pairRank[start] !== (top - start) / RANK_UNIT) continue;
    const middle = next[start] as number;
    const end = next[middle] as number;
    next[start] = end;
    previous[end] = start;
    pairRank[middle] = -1;
    count--;
    rankPairAt(start);
    if (start > 0) rankPairAt(previous[start] as number);
  }
  return count;
}

/** Binary heap of non-negative numbers in one typed array; each merge adds at most two to what `capacity` allows. */
class MinHeap {
  readonly #items: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#items = new Float64Array(capacity);
  }

  push(item: number): void {
    const items = this.#items;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((items[parent] as number) <= item) break;
      items[at] = items[parent] as number;
      at = parent;
    }
    items[at] = item;
  }

  /** The smallest, taken out; -1 when empty. */
  pop(): number {
    if (this.#size === 0) return -1;
    const items = this.#items;
    const smallest = items[0] as number;
    const last = items[--this.#size] as number;
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && (items[child + 1] as number) < (items[child] as number)) child++;
      if ((items[child] as number) >= last) break;
      items[at] = items[child] as number;
      at = child;
    }
    items[at] = last;
    return smallest;
  }
}
