import type { Caller } from "../../core/caller.ts";
import type { TransactionSql } from "./client.ts";

/** What a transaction's statements share. */
export interface Context {
  readonly sql: TransactionSql;
  readonly caller: Caller;
  /** The embedding generation that writes store vectors of. */
  readonly generation: number;
  /** The todos and decisions that were read in the transaction: its answer may tell of them. */
  readonly itemsRead: Set<string>;
}
