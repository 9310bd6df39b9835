import type { Sql, TransactionSql } from "./client.ts";

/** Deadlock and serialisation failure: the database rolled back the transaction, and it can be retried. */
const TRY_AGAIN = new Set(["40P01", "40001"]);

/** Runs the work, and retries it a few times after a deadlock or a serialisation failure. */
export async function retried<T>(work: () => Promise<T>, triesMax = 5): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= triesMax || !TRY_AGAIN.has((error as { code?: string }).code ?? "")) throw error;
    }
  }
}

/** Runs reads in one snapshot, so that all statements see the same rows. */
export function snapshot<T>(sql: Sql, read: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return sql.begin("isolation level repeatable read read only", read) as Promise<T>;
}

/** SQLSTATE of a statement that was cancelled. */
const STOPPED = "57014";

/**
 * Runs the reads with a time limit for each statement. Returns null if a statement exceeds it. Each statement is
 * planned for its parameters, and has enough memory for a bitmap of millions of rows.
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
