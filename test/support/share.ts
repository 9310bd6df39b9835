import { createFairShare, type FairShare, placeBoundsFor } from "../../src/core/limits/fair-share.ts";
import type { PlaceBounds } from "../../src/core/limits/places.ts";
import { createTurns } from "../../src/core/limits/turns.ts";

/** The share of a surface that stands by itself, on this process's own loop and clock. */
export function testShare(bounds: Partial<PlaceBounds> = {}): FairShare {
  const turns = createTurns({ now: () => performance.now(), soon: (task) => void setImmediate(task) });
  return createFairShare(turns, { ...placeBoundsFor(16), ...bounds }, (ms, task) => {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  });
}
