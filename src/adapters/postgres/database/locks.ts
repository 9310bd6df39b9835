import { createHash } from "node:crypto";
import type { Row } from "postgres";
import type { LockKey } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment, ReservedSql, Sql, TransactionSql } from "./client.ts";

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

/** The connection of a pool that has the locks of its process, while it has any. */
interface LockSession {
  readonly connection: Promise<ReservedSql>;
  /** How many locks it is asked for or has. */
  users: number;
}

interface PoolLocks {
  session: LockSession | null;
  /** What this process runs now. */
  readonly running: Set<string>;
}

const locksOf = new WeakMap<Sql, PoolLocks>();

/**
 * Runs the work while nobody else runs work of the same name; null at once where somebody does. All such locks of a process are
 * of one connection of its pool, since work of five names may run at the same time, and each needs others to be done with.
 */
export async function withSessionLock<T>(sql: Sql, name: string, work: () => Promise<T>): Promise<T | null> {
  const locks = locksOf.get(sql) ?? { session: null, running: new Set<string>() };
  locksOf.set(sql, locks);
  // A session that has a lock gets it again.
  if (locks.running.has(name)) return null;
  locks.running.add(name);
  try {
    return await inSession(sql, locks, async (ask) => {
      const [row] = await ask(
        (session) => session`select pg_try_advisory_lock(${lockNumber(name)}) as is_ours`,
      );
      if (row?.is_ours !== true) return null;
      try {
        return await work();
      } finally {
        await ask((session) => session`select pg_advisory_unlock(${lockNumber(name)})`);
      }
    });
  } finally {
    locks.running.delete(name);
  }
}

type Ask = (statement: (session: ReservedSql) => Promise<readonly Row[]>) => Promise<readonly Row[]>;

/** A lock of a session, since the work takes minutes: no transaction is open for so long. One that has failed is not used again. */
async function inSession<T>(sql: Sql, locks: PoolLocks, use: (ask: Ask) => Promise<T>): Promise<T> {
  const session = locks.session ?? { connection: sql.reserve(), users: 0 };
  locks.session = session;
  const leave = () => {
    if (locks.session === session) locks.session = null;
  };
  session.users += 1;
  try {
    return await use(async (statement) => {
      try {
        return await statement(await session.connection);
      } catch (error) {
        leave();
        throw error;
      }
    });
  } finally {
    session.users -= 1;
    if (session.users === 0) {
      leave();
      (await session.connection).release();
    }
  }
}
