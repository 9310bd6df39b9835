import { startLoop, type Worker } from "./loop.ts";

const PAUSE_MS = 60_000;

/** Stores the indexes in memory that have changed, for the next start. `store`: ends early when the signal aborts. */
export function startIndexStorer(
  store: (signal: AbortSignal) => Promise<void>,
  report: (error: unknown) => void,
): Worker {
  return startLoop(store, { pauseMs: PAUSE_MS, startsAtOnce: false, report });
}
