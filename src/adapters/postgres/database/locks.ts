import { createHash } from "node:crypto";
import type { LockKey } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "./client.ts";

/** The advisory lock of a name: 64 bits of its hash. Two names that share one only wait for each other needlessly. */
export function lockNumber(name: string): string {
  return createHash("sha256").update(name).digest().readBigInt64BE(0).toString();
}

/**
 * Takes the locks until the end of the transaction, in one order everywhere, so that two writes cannot deadlock: the
 * owners first, shared, so that `lockOwners` waits for all; then the keys.
 *
 * It is asked for and not waited for, which spares each write a way to the database and back: what a connection is asked it
 * does in that order, so whatever the transaction asks next is done under the locks. Where they cannot be had, that fails,
 * and the transaction with the reason why.
 */
export function askForLocks(sql: TransactionSql, keys: readonly LockKey[]): void {
  if (keys.length > 0) sql`select ${locksTaken(sql, keys)}`.execute();
}

/** The same within a statement: true once they are taken. */
export function locksTaken(sql: AnySql, keys: readonly LockKey[]): Fragment {
  const owners = inOrder(keys.map((key) => ownerLock(key.ownerId)));
  const numbers = inOrder(keys.map((key) => lockNumber(`${key.ownerId}:${key.name}`)));
  return sql`take_locks(${owners}::bigint[], ${numbers}::bigint[])`;
}

/** Locks everything of these owners for this transaction alone, until it ends. What is asked meanwhile is done under the locks. */
export async function takeOwnerLocks(sql: TransactionSql, ownerIds: readonly string[]): Promise<void> {
  const numbers = inOrder(ownerIds.map(ownerLock));
  if (numbers.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(number)
    from unnest(${numbers}::bigint[]) with ordinality as o (number, place) order by place`.execute();
}

/** The same of one owner if nobody holds anything of it; false at once where somebody does. */
export async function tryOwnerLock(sql: TransactionSql, ownerId: string): Promise<boolean> {
  const [row] = await sql`select pg_try_advisory_xact_lock(${ownerLock(ownerId)}) as is_ours`;
  return row?.is_ours === true;
}

function ownerLock(ownerId: string): string {
  return lockNumber(`owner:${ownerId}`);
}

function inOrder(numbers: readonly string[]): string[] {
  return [...new Set(numbers)].sort();
}

/** Runs the work while no other process runs work of the same name; null at once where one does. */
export async function withSessionLock<T>(sql: Sql, name: string, work: () => Promise<T>): Promise<T | null> {
  // A lock of a session, since the work takes minutes: no transaction is open for so long.
  const session = await sql.reserve();
  try {
    const [row] = await session`select pg_try_advisory_lock(${lockNumber(name)}) as is_ours`;
    if (row?.is_ours !== true) return null;
    try {
      return await work();
    } finally {
      await session`select pg_advisory_unlock(${lockNumber(name)})`;
    }
  } finally {
    session.release();
  }
}
