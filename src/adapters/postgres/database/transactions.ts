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
