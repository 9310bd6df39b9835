import { createHash } from "node:crypto";
import type { LockKey } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment, ReservedSql, Sql, TransactionSql } from "./client.ts";
import { isPassing } from "./failure.ts";

/**
 * The number of a name's advisory lock: 64 bits of the name's hash. Two names with the same number only wait for each
 * other needlessly.
 */
export function lockNumber(name: string): string {
  return createHash("sha256").update(name).digest().readBigInt64BE(0).toString();
}

/**
 * Takes the locks until the end of the transaction, in one order everywhere, so that two writes cannot deadlock. The
 * owners come first, shared, so that `lockOwners` waits for all of them; then the keys. Not awaited, which saves each
 * write a round trip: a connection runs statements in order, so later statements of the transaction run under the
 * locks. If a lock cannot be taken, those statements and the transaction fail.
 */
export function askForLocks(sql: TransactionSql, keys: readonly LockKey[]): void {
  if (keys.length > 0) sql`select ${locksTaken(sql, keys)}`.execute();
}

/** The same within a statement: SQL that is true once the locks are taken. */
export function locksTaken(sql: AnySql, keys: readonly LockKey[]): Fragment {
  const owners = inOrder(keys.map((key) => ownerLock(key.ownerId)));
  const numbers = inOrder(keys.map((key) => lockNumber(`${key.ownerId}:${key.name}`)));
  return sql`take_locks(${owners}::bigint[], ${numbers}::bigint[])`;
}

/** Locks everything of these owners exclusively until the transaction ends. Later statements run under the locks. */
export async function takeOwnerLocks(sql: TransactionSql, ownerIds: readonly string[]): Promise<void> {
  const numbers = inOrder(ownerIds.map(ownerLock));
  if (numbers.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(number)
    from unnest(${numbers}::bigint[]) with ordinality as o (number, place) order by place`.execute();
}

/** The same for one owner, if no one holds a lock of it. Otherwise returns false at once. */
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

/**
 * A connection of a pool that has this process's session locks. The first lock reserves it, and the last one releases
 * it.
 */
interface LockSession {
  readonly connection: Promise<ReservedSql>;
  /** Number of locks that it has or is taking. */
  users: number;
}

interface PoolLocks {
  /** The session on which the next lock is taken; null if there is none. */
  session: LockSession | null;
  /** Names that this process is running now. */
  readonly running: Set<string>;
}

const locksOf = new WeakMap<Sql, PoolLocks>();

/**
 * Runs the work under a lock of this name. Returns null at once if other work of the same name is running. It is a
 * session lock, since the work takes minutes and no transaction should be open for so long. All locks of a process
 * share one connection: work of many names may run at the same time, and would otherwise use up the pool. Fails,
 * although the work is done, if that connection has broken meanwhile: others may have begun the same work.
 */
export async function withSessionLock<T>(sql: Sql, name: string, work: () => Promise<T>): Promise<T | null> {
  const locks = locksOf.get(sql) ?? { session: null, running: new Set<string>() };
  locksOf.set(sql, locks);
  // Postgres would grant a session a lock that it already has.
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

/** Takes the lock, and returns the session that has it; null if another process has the lock. */
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
    // The holders of its other locks may not have noticed that the connection is gone. Try a new one.
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
  // The connection must not return to the pool with a lock that could not be released.
  await connection?.unsafe("select pg_advisory_unlock_all()").catch(() => {});
  connection?.release();
}
