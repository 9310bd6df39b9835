import type { Sql, TransactionSql } from "./client.ts";

/** Reads of one moment: statements that belong together see the same rows. */
export function snapshot<T>(sql: Sql, read: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return sql.begin("isolation level repeatable read read only", read) as Promise<T>;
}
