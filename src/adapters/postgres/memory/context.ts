import type { Caller } from "../../../core/caller.ts";
import type { StorageLimits } from "../../../core/limits/storage-limits.ts";
import type { TransactionSql } from "../database/client.ts";

/** Shared by the statements of a transaction. */
export interface Context {
  readonly sql: TransactionSql;
  readonly caller: Caller;
  /** Embedding generation of the vectors that writes store. */
  readonly generation: number;
  readonly limits: StorageLimits;
  /** Memories that the transaction found for a change, or wrote. Its answer may mention them. */
  readonly concerned: Set<string>;
  /** Called with the internal ids of memories that are hard-deleted or redacted, before that is committed. */
  readonly onErased: (ids: readonly string[]) => void;
}
