import { STORAGE_LIMITS, type StorageLimits } from "../../core/storage-limits.ts";
import type { SystemOfRecord } from "../../core/system-of-record.ts";
import type { Sql } from "./database/client.ts";
import { retried } from "./database/transactions.ts";
import { createMaintenanceStore } from "./maintenance/maintenance-store.ts";
import { createMaintenanceTransaction } from "./maintenance/maintenance-transaction.ts";
import type { Context } from "./memory/context.ts";
import { createMemoryStore } from "./memory/memory-store.ts";
import { createMemoryTransaction } from "./memory/transaction.ts";
import { createWorkspaceStore, createWorkspaceTransaction } from "./project/workspace-store.ts";

/**
 * The system of record on Postgres 15 or newer. `generation`: the embedding generation that writes store vectors of.
 * `onErased` is told the internal ids of what is erased, before that is committed.
 */
export function createSystemOfRecord(
  sql: Sql,
  generation: number,
  limits: StorageLimits = STORAGE_LIMITS,
  onErased: (ids: readonly string[]) => void = () => {},
): SystemOfRecord {
  return {
    ...createMemoryStore(sql),
    workspace: createWorkspaceStore(sql),
    maintenance: createMaintenanceStore(sql),
    transaction: (caller, work) =>
      retried(() =>
        sql.begin((tx) => {
          const context: Context = { sql: tx, caller, generation, limits, concerned: new Set(), onErased };
          return work({
            ...createMemoryTransaction(context),
            workspace: createWorkspaceTransaction(context),
            maintenance: createMaintenanceTransaction(context),
          });
        }),
      ) as never,
  };
}
