import { startLoop, type Worker } from "./loop.ts";

const PAUSE_MS = 5000;

/** Looks for projects whose maintenance is due, and for runs that were broken off, as long as the service runs. */
export function startMaintenance(
  maintenance: { round(isStopping: () => boolean): Promise<void> },
  report: (error: unknown) => void,
): Worker {
  return startLoop(
    async (isStopping) => {
      await maintenance.round(isStopping);
      return { isMoreWaiting: false };
    },
    PAUSE_MS,
    report,
  );
}
