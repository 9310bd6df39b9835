import type { Sql, TransactionSql } from "./client.ts";

/** Deadlock and serialisation failure: the database undid the transaction and asks to try again. */
const TRY_AGAIN = new Set(["40P01", "40001"]);

/** Runs the work again, a few times, where the database asked for it. */
export async function retried<T>(work: () => Promise<T>, triesMax = 5): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= triesMax || !TRY_AGAIN.has((error as { code?: string }).code ?? "")) throw error;
    }
  }
}

/** Reads of one moment: statements that belong together see the same rows. */
export function snapshot<T>(sql: Sql, read: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return sql.begin("isolation level repeatable read read only", read) as Promise<T>;
}

/** A statement was stopped before it was done. */
const STOPPED = "57014";

/**
 * Runs the reads, each statement within that time; null if one takes longer. Each is planned for its parameters, and has memory
 * for a bitmap of millions of rows.
 */
export async function readWithin<T>(
  sql: Sql,
  milliseconds: number,
  read: (sql: TransactionSql) => Promise<T>,
): Promise<T | null> {
  try {
    return (await sql.begin("read only", async (tx) => {
      await tx`
        select set_config('statement_timeout', ${String(milliseconds)}, true), set_config('work_mem', '32MB', true),
          set_config('plan_cache_mode', 'force_custom_plan', true)`;
      return read(tx);
    })) as T;
  } catch (error) {
    if ((error as { code?: string }).code === STOPPED) return null;
    throw error;
  }
}
