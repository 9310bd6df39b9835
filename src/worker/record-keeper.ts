import type { Incarnation, Incarnations } from "../core/projection/incarnation.ts";
import { startLoop, type Worker } from "./loop.ts";

const LOOK_EVERY_MS = 2000;

export interface RecordKeeperPorts {
  readonly incarnations: Incarnations;
  /** Runs the work unless another process is doing it; then returns null at once. */
  whileMending<T>(work: () => Promise<T>): Promise<T | null>;
  /** Resets transaction ids that are ahead of this cluster's. Returns the number of changed rows. */
  mend(signal: AbortSignal): Promise<number>;
}

/** Detects that a backup was restored, even under a running server, and repairs the consequences. */
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
    // Rows that were being changed are skipped, so the repair is complete once a pass finds nothing.
    if (count === 0) await incarnations.mended(id);
    else log(`The rows of ${count} memories had transaction ids of another cluster: put right.`);
  }

  return startLoop(look, { pauseMs: LOOK_EVERY_MS, report });
}

/** Log lines, by how the record was moved. */
const WHAT_HAPPENED: Readonly<Record<Incarnation["reason"], string>> = {
  first: "The database is new.",
  restored: "The database was restored from a backup or copied: what indexes hold of it is read anew.",
  went_back: "The database was put back to an earlier state: what indexes hold of it is read anew.",
  promoted: "A replica of the database has taken over: what indexes hold of it is read anew.",
};
