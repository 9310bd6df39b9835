import type { Caller } from "../../../core/caller.ts";
import type { StorageLimits } from "../../../core/limits/storage-limits.ts";
import type { TransactionSql } from "../database/client.ts";

/** Shared by the statements of a transaction. */
export interface Context {
  readonly sql: TransactionSql;
  readonly caller: Caller;
  /** The embedding generation that writes store vectors of. */
  readonly generation: number;
  readonly limits: StorageLimits;
  /** The memories that were found for a change, or written, in the transaction: its answer may tell of them. */
  readonly concerned: Set<string>;
  /** Told the internal ids of what is hard-deleted or redacted, before that is committed. */
  readonly onErased: (ids: readonly string[]) => void;
}
