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
  const stopping = new AbortController();
  let told = incarnations.known()?.id ?? null;

  async function look(): Promise<{ isMoreWaiting: boolean }> {
    const now = await incarnations.current();
    if (now.id !== told && told !== null) log(WHAT_HAPPENED[now.reason]);
    told = now.id;
    if (!now.isMended) await whileMending(() => mendAll(now));
    return { isMoreWaiting: false };
  }

  async function mendAll({ id }: Incarnation): Promise<void> {
    const count = await mend(stopping.signal);
    if (stopping.signal.aborted) return;
    // What somebody was just changing was left out: it is done when there is nothing left to do.
    if (count === 0) await incarnations.mended(id);
    else log(`The rows of ${count} memories had transaction ids of another cluster: put right.`);
  }

  const loop = startLoop(look, LOOK_EVERY_MS, report);
  return {
    stop() {
      stopping.abort();
      return loop.stop();
    },
  };
}

/** What a server says that sees it happen. */
const WHAT_HAPPENED: Readonly<Record<Incarnation["reason"], string>> = {
  first: "The database is new.",
  restored: "The database was restored from a backup or copied: what indexes hold of it is read anew.",
  went_back: "The database was put back to an earlier state: what indexes hold of it is read anew.",
  promoted: "A replica of the database has taken over: what indexes hold of it is read anew.",
};
