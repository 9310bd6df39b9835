import { createHash } from "node:crypto";
import type { LockKey } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment, ReservedSql, Sql, TransactionSql } from "./client.ts";
import { isPassing } from "./failure.ts";

/** The advisory lock of a name: 64 bits of its hash. Two names that share one only wait for each other needlessly. */
export function lockNumber(name: string): string {
  return createHash("sha256").update(name).digest().readBigInt64BE(0).toString();
}

/**
 * Takes the locks until the end of the transaction, in one order everywhere, so that two writes cannot deadlock: the owners
 * first, shared, so that `lockOwners` waits for all; then the keys. Not awaited, which saves each write a round trip: a
 * connection runs statements in order, so later statements of the transaction run under the locks. If they cannot be taken,
 * those statements and the transaction fail.
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

/** Locks everything of these owners for this transaction alone, until it ends. Later statements run under the locks. */
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

/** A connection of a pool on which this process has its locks, taken out by the first and put back by the last of them. */
interface LockSession {
  readonly connection: Promise<ReservedSql>;
  /** How many have a lock of it, or ask for one. */
  users: number;
}

interface PoolLocks {
  /** The one on which the next lock is asked for; null while there is none. */
  session: LockSession | null;
  /** Names that this process is running now. */
  readonly running: Set<string>;
}

const locksOf = new WeakMap<Sql, PoolLocks>();

/**
 * Runs the work while nobody else runs work of the same name; null at once where somebody does. It is a lock of a session, since
 * the work takes minutes, and no transaction is open for so long. All of a process share one connection: work of many names
 * may run at the same time, and would leave none to be done with. Fails, with the work done, where that connection has broken
 * meanwhile: others may have begun the same work.
 */
export async function withSessionLock<T>(sql: Sql, name: string, work: () => Promise<T>): Promise<T | null> {
  const locks = locksOf.get(sql) ?? { session: null, running: new Set<string>() };
  locksOf.set(sql, locks);
  // A session that has a lock would get it again.
  if (locks.running.has(name)) return null;
  locks.running.add(name);
  try {
    const session = await lockedSession(sql, locks, name);
    if (session === null) return null;
    try {
      return await work();
    } finally {
      await unlock(locks, session, name);
    }
  } finally {
    locks.running.delete(name);
  }
}

/** The session that has the lock now; null where another process has it. */
async function lockedSession(sql: Sql, locks: PoolLocks, name: string): Promise<LockSession | null> {
  const shared = locks.session;
  const session = shared ?? { connection: sql.reserve(), users: 0 };
  locks.session = session;
  session.users += 1;
  try {
    const connection = await session.connection;
    const [row] = await connection`select pg_try_advisory_lock(${lockNumber(name)}) as is_ours`;
    if (row?.is_ours === true) return session;
  } catch (error) {
    if (locks.session === session && isPassing(error, true)) locks.session = null;
    await leave(locks, session);
    // Those who have its other locks need not have noticed that the connection is gone.
    if (shared !== null && locks.session !== shared) return lockedSession(sql, locks, name);
    throw error;
  }
  await leave(locks, session);
  return null;
}

async function unlock(locks: PoolLocks, session: LockSession, name: string): Promise<void> {
  try {
    const connection = await session.connection;
    await connection`select pg_advisory_unlock(${lockNumber(name)})`;
  } finally {
    await leave(locks, session);
  }
}

async function leave(locks: PoolLocks, session: LockSession): Promise<void> {
  session.users -= 1;
  if (session.users > 0) return;
  if (locks.session === session) locks.session = null;
  const connection = await session.connection.catch(() => null);
  // Nobody else is to get it with a lock that could not be given back.
  await connection?.unsafe("select pg_advisory_unlock_all()").catch(() => {});
  connection?.release();
}
