import type { LoggedRecall, RecallLogStore } from "../core/recall/recall-log.ts";
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
  readonly recalls: {
    take(): LoggedRecall[];
    readonly store: Pick<RecallLogStore, "add" | "sweep">;
    /** 0: nothing is kept. */
    readonly keptDays: number;
  };
  /** How long the oldest change has waited for the index; null if unknown. */
  readonly indexLagSeconds: () => Promise<number | null>;
}

/**
 * Writes counts and recalls in batches. Those that cannot be written are dropped: the database is busy once it is back.
 */
export function startFigureKeeper(
  { tally, store, recalls, indexLagSeconds }: FigureKeeperPorts,
  report: (error: unknown) => void,
): Worker {
  let rounds = 0;
  const write = async () => {
    const deltas = tally.take();
    if (deltas.length > 0) await store.add(deltas, await indexLagSeconds());
    await recalls.store.add(recalls.take());
  };
  const loop = startLoop(
    async () => {
      await write();
      if (rounds % SWEEP_ROUNDS === 0) {
        await store.sweep();
        await recalls.store.sweep(recalls.keptDays);
      }
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
