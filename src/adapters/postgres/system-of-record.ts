import { type Caller, invalidToken } from "../../core/caller.ts";
import { notFound } from "../../core/error.ts";
import {
  areOwnersBounded,
  limitsOfEndUsers,
  STORAGE_LIMITS,
  type StorageLimits,
} from "../../core/limits/storage-limits.ts";
import type { SystemOfRecord } from "../../core/system-of-record.ts";
import type { Sql } from "./database/client.ts";
import { retried } from "./database/transactions.ts";
import { createSubjectTransaction } from "./erasure/subject-erasures.ts";
import { createMaintenanceStore } from "./maintenance/maintenance-store.ts";
import { createMaintenanceTransaction } from "./maintenance/maintenance-transaction.ts";
import type { Context } from "./memory/context.ts";
import { createMemoryStore } from "./memory/memory-store.ts";
import { createMemoryTransaction } from "./memory/transaction.ts";
import { insertUnopposed } from "./memory/write-memory.ts";
import { createWorkspaceStore, createWorkspaceTransaction } from "./project/workspace-store.ts";

/**
 * The system of record on Postgres 15 or newer. `generation`: the embedding generation of the vectors that writes
 * store. `onErased` is called with the internal ids of erased memories, before that is committed.
 */
export function createSystemOfRecord(
  sql: Sql,
  generation: number,
  limits: StorageLimits = STORAGE_LIMITS,
  onErased: (ids: readonly string[]) => void = () => {},
): SystemOfRecord {
  const orRefused = async <T>(caller: Caller, work: () => Promise<T>): Promise<T> => {
    try {
      return await retried(work);
    } catch (error) {
      throw refusalOf(error, caller.owner.id);
    }
  };
  const ofEndUsers = limitsOfEndUsers(limits);
  const limitsOf = ({ owner }: Caller) => (owner.kind === "end_user" ? ofEndUsers : limits);
  return {
    ...createMemoryStore(sql),
    workspace: createWorkspaceStore(sql),
    maintenance: createMaintenanceStore(sql),
    transaction: (caller, work) =>
      orRefused(caller, () =>
        sql.begin((tx) => {
          const context: Context = {
            sql: tx,
            caller,
            generation,
            limits: limitsOf(caller),
            concerned: new Set(),
            onErased,
          };
          return work({
            ...createMemoryTransaction(context),
            workspace: createWorkspaceTransaction(context),
            maintenance: createMaintenanceTransaction(context),
            subjects: createSubjectTransaction(tx),
          });
        }),
      ) as never,
    async insertAlone(caller, memory, vector, bearing) {
      if (areOwnersBounded(limitsOf(caller))) return null;
      return orRefused(caller, () => insertUnopposed({ sql, caller, generation }, memory, vector, bearing));
    },
  };
}

/** References that a concurrent erasure may have removed: the owner, or the requesting credential. */
const OF_OWNER = new Set(["memories_owner_id_fkey", "idempotency_keys_token_id_fkey"]);

/** Translates the failure of a write whose owner was erased meanwhile; returns other errors unchanged. */
function refusalOf(error: unknown, callersOwner: string): unknown {
  const { code, constraint_name, detail = "" } = error as Record<string, string | undefined>;
  if (code !== "23503" || !OF_OWNER.has(constraint_name ?? "")) return error;
  const isTeams = constraint_name === "memories_owner_id_fkey" && !detail.includes(callersOwner);
  return isTeams ? notFound("team") : invalidToken();
}
