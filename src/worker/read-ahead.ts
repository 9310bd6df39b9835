import { startLoop, type Worker } from "./loop.ts";

/** More than fit into memory if their indexes are large. */
const OWNERS_MAX = 20;
/** Pause before a failed read is retried. */
const PAUSE_MS = 10_000;

export interface ReadAheadPorts {
  /** Owners by last activity, most recent first. */
  activeOwners(limit: number): Promise<readonly string[]>;
  /** Reads an owner's index into memory. Returns false if there is no room for more. */
  readAhead(ownerId: string): Promise<boolean>;
}

/** Reads the indexes of recently active owners into memory, once, so that their first search need not wait. */
export function startReadAhead(ports: ReadAheadPorts, report: (error: unknown) => void): Worker {
  return startLoop(
    async (signal) => {
      for (const ownerId of await ports.activeOwners(OWNERS_MAX))
        if (signal.aborted || !(await ports.readAhead(ownerId))) break;
      return "never";
    },
    { pauseMs: PAUSE_MS, report },
  );
}
