import type { Incarnation, Incarnations } from "../core/projection/incarnation.ts";
import { startLoop, type Worker } from "./loop.ts";

const LOOK_EVERY_MS = 2000;

export interface RecordKeeperPorts {
  readonly incarnations: Incarnations;
  /** Runs the work while no other process mends, or answers null at once where one does. */
  whileMending<T>(work: () => Promise<T>): Promise<T | null>;
  /** Sets back the transaction ids that are ahead of this cluster's, and answers of how many rows. */
  mend(signal: AbortSignal): Promise<number>;
}

/** Notices that a backup was put back, also below a server that runs, and mends what it has brought along. */
export function startRecordKeeper(
  { incarnations, whileMending, mend }: RecordKeeperPorts,
  { report, log }: { report: (error: unknown) => void; log: (message: string) => void },
): Worker {
  let told = incarnations.known()?.id ?? null;

  async function look(signal: AbortSignal): Promise<void> {
    const now = await incarnations.current();
    if (now.id !== told && told !== null) log(WHAT_HAPPENED[now.reason]);
    told = now.id;
    if (!now.isMended) await whileMending(() => mendAll(now, signal));
  }

  async function mendAll({ id }: Incarnation, signal: AbortSignal): Promise<void> {
    const count = await mend(signal);
    if (signal.aborted) return;
    // Rows being changed were skipped, so it is done once a pass finds nothing.
    if (count === 0) await incarnations.mended(id);
    else log(`The rows of ${count} memories had transaction ids of another cluster: put right.`);
  }

  return startLoop(look, { pauseMs: LOOK_EVERY_MS, report });
}

/** Log lines of a server that notices it. */
const WHAT_HAPPENED: Readonly<Record<Incarnation["reason"], string>> = {
  first: "The database is new.",
  restored: "The database was restored from a backup or copied: what indexes hold of it is read anew.",
  went_back: "The database was put back to an earlier state: what indexes hold of it is read anew.",
  promoted: "A replica of the database has taken over: what indexes hold of it is read anew.",
};
