/*
 * Durations as counts in fixed steps, so that those of several servers and minutes can be added up. Each step ends at 1.3
 * times the end of the one before: a percentile that is read from it is off by a seventh at most.
 */

const FIRST_MS = 0.5;
const GROWTH = 1.3;
/** From half a millisecond to a minute; the last holds what is longer. */
export const LATENCY_STEPS = 46;

/** The step that a duration in milliseconds falls into, from 0. */
export function latencyStep(ms: number): number {
  if (ms <= FIRST_MS) return 0;
  return Math.min(LATENCY_STEPS - 1, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(GROWTH)));
}

/** The milliseconds that a share (0 to 1) of the durations stays below; null where there are none. */
export function latencyPercentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  for (const [step, count] of counts.entries()) {
    if (left <= count) return middleOf(step);
    left -= count;
  }
  return middleOf(LATENCY_STEPS - 1);
}

/** The geometric middle of a step, in tenths of a millisecond. */
function middleOf(step: number): number {
  const end = FIRST_MS * GROWTH ** step;
  return Math.round((step === 0 ? end : end / Math.sqrt(GROWTH)) * 10) / 10;
}
