import type { FigureStore } from "../core/watch/figure-store.ts";
import type { FigureTally } from "../core/watch/figure-tally.ts";
import { startLoop, type Worker } from "./loop.ts";

/** How far figures may be behind, and what a server that is killed loses of them. */
const EVERY_MS = 10_000;
/** Sweeping is due after so many rounds: an hour. */
const SWEEP_ROUNDS = 360;

export interface FigureKeeperPorts {
  readonly tally: FigureTally;
  readonly store: Pick<FigureStore, "add" | "sweep">;
  /** How long the oldest change has waited for the index; null where that is not known. */
  readonly indexLagSeconds: () => Promise<number | null>;
}

/**
 * Writes down what was counted, in batches, as long as the service runs. What cannot be written is lost, not gathered: the
 * database has other things to do once it is back.
 */
export function startFigureKeeper(
  { tally, store, indexLagSeconds }: FigureKeeperPorts,
  report: (error: unknown) => void,
): Worker {
  let rounds = 0;
  const write = async () => {
    const deltas = tally.take();
    if (deltas.length > 0) await store.add(deltas, await indexLagSeconds());
  };
  const loop = startLoop(
    async () => {
      await write();
      if (rounds % SWEEP_ROUNDS === 0) await store.sweep();
      rounds += 1;
      return { isMoreWaiting: false };
    },
    EVERY_MS,
    report,
  );
  return {
    async stop() {
      await loop.stop();
      await write().catch(report);
    },
  };
}
