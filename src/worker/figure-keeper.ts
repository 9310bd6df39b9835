import type { FigureStore } from "../core/watch/figure-store.ts";
import type { FigureTally } from "../core/watch/figure-tally.ts";
import { startLoop, type Worker } from "./loop.ts";

/** Maximum age of unwritten figures, which is also what a killed server loses. */
const EVERY_MS = 10_000;
/** An hour of rounds. */
const SWEEP_ROUNDS = 360;

export interface FigureKeeperPorts {
  readonly tally: FigureTally;
  readonly store: Pick<FigureStore, "add" | "sweep">;
  /** How long the oldest change has waited for the index; null if unknown. */
  readonly indexLagSeconds: () => Promise<number | null>;
}

/** Writes the counts in batches. Counts that cannot be written are dropped: the database is busy once it is back. */
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
    },
    { pauseMs: EVERY_MS, report },
  );
  return {
    async stop() {
      await loop.stop();
      await write().catch(report);
    },
  };
}
