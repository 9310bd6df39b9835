/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
  /** 0 or more, below 1. */
  next(): number;
  /** A whole number, 0 or more, below `bound`. */
  below(bound: number): number;
  pick<T>(from: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { next, below, pick: <T>(from: readonly T[]) => from[below(from.length)] as T };
}

/** How much more than usual a property test tries. */
export const RUNS = Number(process.env.RECOLLECT_RUNS ?? 1);

/** Another one each time, unless one is given to repeat a failure. */
export const SEED = Number(process.env.RECOLLECT_SEED ?? Math.floor(Math.random() * 2 ** 31));
