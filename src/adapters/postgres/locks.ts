import { createHash } from "node:crypto";
import type { LockKey } from "../../core/memory/memory-store.ts";
import type { TransactionSql } from "./client.ts";

/** The advisory lock of a key: 64 bits of its hash. Two keys that share one only wait for each other needlessly. */
export function lockNumber(key: LockKey): string {
  return createHash("sha256").update(key).digest().readBigInt64BE(0).toString();
}

/** Takes the locks until the end of the transaction, in one order everywhere, so that two writes cannot deadlock. */
export async function takeLocks(sql: TransactionSql, keys: readonly LockKey[]): Promise<void> {
  const numbers = [...new Set(keys.map(lockNumber))].sort();
  if (numbers.length === 0) return;
  await sql`select pg_advisory_xact_lock(number) from unnest(${numbers}::bigint[]) with ordinality as k (number, place) order by place`;
}
