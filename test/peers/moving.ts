import { onTestFinished } from "vitest";
import { createImportTarget } from "../../src/adapters/postgres/transfer/import-target.ts";
import { openPeerStore } from "../../src/cli/peer-store.ts";
import { sha256 } from "../../src/compose/sha256.ts";
import {
  type ImportOptions,
  type ImportReport,
  importMemories,
} from "../../src/core/transfer/import-memories.ts";
import { createMappingTally, type Mapping } from "../../src/core/transfer/peers/mapping.ts";
import { makerFor, type Peer, type PeerRecord } from "../../src/core/transfer/peers/peer-record.ts";
import { openWorld, type World } from "../support/world.ts";

/** A service on a database of its own, and what moves into it. */
export interface MovingWorld extends World {
  moved(peer: Peer, place: string, options?: Partial<ImportOptions>): Promise<ImportReport & Mapping>;
}

export const alice = { kind: "user", name: "alice" } as const;

export async function openMovingWorld(): Promise<MovingWorld> {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { ports, sql, generation } = world.service;
  return {
    ...world,
    async moved(from, place, options = {}) {
      const tally = createMappingTally();
      const store = await openPeerStore(from, place, makerFor(from, sha256));
      const report = await importMemories(
        { ...ports, target: createImportTarget(sql, generation) },
        tally.records(store.records, new Date().toISOString()),
        { from, owner: alice, dryRun: false, ...options },
      );
      return { ...report, ...tally.mapping() };
    },
  };
}

/** The records of a store, without importing them. */
export async function recordsIn(peer: Peer, place: string): Promise<PeerRecord[]> {
  const records: PeerRecord[] = [];
  for await (const record of (await openPeerStore(peer, place, makerFor(peer, sha256))).records)
    records.push(record);
  return records;
}

/** What a record makes of a memory. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at lines of every shape
export function linesOf(records: readonly PeerRecord[]): any[] {
  return records.flatMap((record) => ("value" in record ? [record.value] : []));
}
