import type { Sql } from "./client.ts";
import { lockNumber } from "./locks.ts";

/** Runs the work while no other process runs that of the same name, or answers null at once where one does. */
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
