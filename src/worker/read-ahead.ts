import type { Worker } from "./loop.ts";

/** So many owners at most, and more than the service's memory has room for where they are large. */
const OWNERS_MAX = 20;

export interface ReadAheadPorts {
  /** The owners who were active last, the latest first. */
  activeOwners(limit: number): Promise<readonly string[]>;
  /** Reads an owner's index into memory; false where there is no room for more. */
  readAhead(ownerId: string): Promise<boolean>;
}

/** Reads the indexes of those who were active last into memory, once, so that their first search need not wait for it. */
export function startReadAhead(ports: ReadAheadPorts, report: (error: unknown) => void): Worker {
  let isStopping = false;

  async function run(): Promise<void> {
    for (const ownerId of await ports.activeOwners(OWNERS_MAX))
      if (isStopping || !(await ports.readAhead(ownerId))) return;
  }

  const running = run().catch((error: unknown) => isStopping || report(error));
  return {
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
