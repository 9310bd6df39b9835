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

/**
 * Share of a random or exhaustive test that one run tries. `npm test` and `npm run test:deep` try a tenth,
 * `npm run test:exhaustive` all of it, and `RECOLLECT_RUNS` any other share.
 */
export const SHARE = Number(process.env.RECOLLECT_RUNS ?? 0.1);

/** Whether nobody asked for a share, as in `npm test`. */
export const IS_QUICK = process.env.RECOLLECT_RUNS === undefined;
/** Whether everything is tried: every runtime, every combination. */
export const IS_EXHAUSTIVE = SHARE >= 1;
/** Multiple of everything that a test tries: 10 with `RECOLLECT_RUNS=10`. */
export const RUNS = Math.max(1, SHARE);

/** Number of tries of a random test that would try `all` of them in an exhaustive run. */
export function runs(all: number): number {
  return Math.ceil(all * SHARE);
}

/**
 * Members of a matrix that this run tries: the share of it, or all in an exhaustive run. The seed chooses them, and as many
 * seeds in a row as there are shares try each.
 */
export function rotating<T>(all: readonly T[], share = SHARE): T[] {
  const parts = IS_EXHAUSTIVE ? 1 : Math.max(1, Math.round(1 / share));
  // Along a diagonal, since the inner dimensions of a matrix repeat at regular distances.
  return all.filter((_, at) => (at + Math.floor(at / parts)) % parts === SEED % parts);
}

/** One member that the seed chooses, or all of them in an exhaustive run. */
export function oneOrAll<T>(all: readonly T[]): T[] {
  return rotating(all, 1 / all.length);
}

/** Tells who waits for a run that is longer than usual how it goes. */
export function tell(line: string): void {
  if (SHARE > 1) process.stderr.write(`${line}\n`);
}

/** A new one for each run, unless one is given to repeat a failure. The gate counts them up and prints its own. */
export const SEED = Number(process.env.RECOLLECT_SEED ?? Math.floor(Math.random() * 2 ** 31));
