import { perSecond, type Timing } from "./closed-loop.ts";

/** One that is measured: does the thing so many times. */
export type Contestant = (count: number) => Promise<Timing>;

/** Short, so that what else the machine does hits all alike; long beside the last answers, which some wait for. */
const SLICE_MS = 1000;
const WARM_UP = 40;
const SLICE_MIN = 8;

/**
 * Measures the contestants in turns, ABCABC…, for about so many seconds in all; answers the turns of each. A turn is a
 * number of repetitions that took about the same time in the warm-up, which is not counted.
 */
export async function interleave<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  seconds: number,
): Promise<Record<Name, Timing[]>> {
  const names = Object.keys(contestants) as Name[];
  const turns = {} as Record<Name, Timing[]>;
  const counts = {} as Record<Name, number>;
  for (const name of names) {
    await contestants[name](WARM_UP);
    const rate = perSecond(await contestants[name](WARM_UP));
    counts[name] = Math.max(SLICE_MIN, Math.ceil((rate * SLICE_MS) / 1000));
    turns[name] = [];
  }
  const rounds = Math.max(2, Math.round((seconds * 1000) / (SLICE_MS * names.length)));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) turns[name].push(await contestants[name](counts[name]));
  }
  return turns;
}
