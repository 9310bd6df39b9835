/** What is doubled: how long it takes of the processors, in milliseconds, at a size. */
export interface Subject {
  readonly name: string;
  /** Smallest first, each twice the one before. */
  readonly sizes: readonly number[];
  measure(size: number): Promise<Cost>;
}

export interface Cost {
  readonly ms: number;
  /** Of a request, its status. */
  readonly status?: number;
}

export interface Growth {
  readonly name: string;
  /** The worst doubling above the floor; 0 where all are below it. */
  readonly growth: number;
  /** From which size to which. */
  readonly between: readonly [number, number] | null;
  readonly worstMs: number;
  readonly worstSize: number;
  readonly statuses: readonly number[];
}

export interface Judging {
  readonly rounds: number;
  /** The most that one doubling may multiply the time by. */
  readonly growthMax: number;
  /** What takes less is noise, and harmless. */
  readonly floorMs: number;
  /** Beyond this no further doubling is tried: enough is known. */
  readonly enoughMs: number;
}

/** How often something that grows too much is measured again before it is believed. */
const DOUBTS = 3;

/** Doubles a subject from its smallest size to its largest. */
export async function double({ name, sizes, measure }: Subject, judging: Judging): Promise<Growth> {
  const times: number[] = [];
  const statuses = new Set<number>();
  const at = async (size: number, rounds: number): Promise<number> => {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { ms, status } = await measure(size);
      if (status !== undefined) statuses.add(status);
      taken.push(ms);
      if (ms > judging.enoughMs) break;
    }
    return median(taken);
  };
  let growth = 0;
  let between: Growth["between"] = null;
  const result = (): Growth => {
    const worstMs = Math.max(...times);
    const worstSize = sizes[times.indexOf(worstMs)] as number;
    return { name, growth, between, worstMs, worstSize, statuses: [...statuses].sort() };
  };
  // Most never reach the floor. What might take minutes at its largest shows it at a quarter of that.
  const quarter = sizes.at(-3);
  const isQuick = quarter === undefined || (await at(quarter, 1)) <= judging.floorMs;
  if (isQuick) {
    const largest = await at(sizes.at(-1) as number, 1);
    if (largest <= judging.floorMs) {
      const worstSize = sizes.at(-1) as number;
      return { name, growth, between, worstMs: largest, worstSize, statuses: [...statuses] };
    }
  }
  for (const [place, size] of sizes.entries()) {
    let ms = await at(size, judging.rounds);
    const before = sizes[place - 1];
    if (before !== undefined && ms > judging.floorMs) {
      let [less, factor] = [times[place - 1] as number, growthOf(times[place - 1] as number, ms)];
      for (let doubt = 0; doubt < DOUBTS && factor > judging.growthMax; doubt += 1) {
        less = Math.max(less, await at(before, judging.rounds));
        ms = Math.min(ms, await at(size, judging.rounds));
        factor = growthOf(less, ms);
      }
      if (ms > judging.floorMs && factor > growth) [growth, between] = [factor, [before, size]];
    }
    times.push(ms);
    if (ms > judging.enoughMs) break;
  }
  return result();
}

function growthOf(less: number, more: number): number {
  return more / Math.max(less, 0.01);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** Sizes up to the largest, each twice the one before. */
export function sizesUpTo(largest: number, count: number): number[] {
  return Array.from({ length: count }, (_, n) => Math.floor(largest / 2 ** (count - 1 - n)));
}
