/*
 * Latency histograms with fixed steps, so that those of several servers and minutes can be added up. Each step ends at
 * 1.3 times the end of the one before, so that percentiles are accurate to within a seventh.
 */

const FIRST_MS = 0.5;
const GROWTH = 1.3;
/** From half a millisecond to a minute. The last step holds anything longer. */
export const LATENCY_STEPS = 46;

/** Returns the step of a duration in milliseconds, from 0. */
export function latencyStep(ms: number): number {
  if (ms <= FIRST_MS) return 0;
  return Math.min(LATENCY_STEPS - 1, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(GROWTH)));
}

/** Returns a percentile in milliseconds for a share from 0 to 1; null without durations. */
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

/** Returns the geometric mean of a step, in tenths of a millisecond. */
function middleOf(step: number): number {
  const end = FIRST_MS * GROWTH ** step;
  return Math.round((step === 0 ? end : end / Math.sqrt(GROWTH)) * 10) / 10;
}
