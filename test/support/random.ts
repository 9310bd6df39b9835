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

/** Of all that random and exhaustive tests can try: a tenth in `npm test`, all in `npm run test:deep`, which sets 1. */
const SHARE = Number(process.env.RECOLLECT_RUNS ?? 0.1);

/** Whether everything is tried: every runtime, every combination. */
export const IS_DEEP = SHARE >= 1;
/** How much more than everything a test tries, for nights: with `RECOLLECT_RUNS=10` ten times as much. */
export const RUNS = Math.max(1, SHARE);

/** How many of `all` a test tries in this run; more than all where more is asked for. */
export function runs(all: number): number {
  return Math.ceil(all * SHARE);
}

/** Tells who waits for a run that is longer than usual how it goes. */
export function tell(line: string): void {
  if (SHARE > 1) process.stderr.write(`${line}\n`);
}

/** Another one each time, unless one is given to repeat a failure. */
export const SEED = Number(process.env.RECOLLECT_SEED ?? Math.floor(Math.random() * 2 ** 31));
