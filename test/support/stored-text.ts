import type { Sql } from "../../src/adapters/postgres/database/client.ts";

/**
 * The columns in which a text is kept, as `table.column`, whatever their type: every table of the database is asked,
 * so that one added later cannot be forgotten. Bytes are looked at as they are; the text in JSON as JSON spells it.
 */
export async function columnsHolding(sql: Sql, text: string): Promise<string[]> {
  const columns = await sql`
    select c.table_schema, c.table_name, c.column_name, c.data_type from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where t.table_schema not in ('pg_catalog', 'information_schema') and t.table_type = 'BASE TABLE'
    order by 1, 2, 3`;
  const holding: string[] = [];
  for (const { table_schema, table_name, column_name, data_type } of columns) {
    const isHeld =
      data_type === "bytea"
        ? sql`position(convert_to(${text}, 'UTF8') in ${sql(column_name)}) > 0`
        : sql`position(${text} in ${sql(column_name)}::text) > 0`;
    const [row] =
      await sql`select exists (select from ${sql(table_schema)}.${sql(table_name)} where ${isHeld}) as is_held`;
    if (row?.is_held) holding.push(`${table_name}.${column_name}`);
  }
  return holding;
}

/** A short text that changes with every change that callers can make, and with none that the worker makes later. */
export async function fingerprint(sql: Sql): Promise<string> {
  const [row] = await sql`
    select (select count(*) || ':' || coalesce(sum(revision), 0) from memories) as memories,
           (select count(*) from memory_versions) as versions, (select count(*) from audit_log) as audits,
           (select count(*) from tombstones) as tombstones, (select count(*) from receipts) as receipts,
           (select count(*) from idempotency_keys) as keys, (select count(*) from recall_feedback) as feedback,
           (select count(*) from owners) as owners, (select count(*) from tokens) as tokens,
           (select count(*) from team_members) as members`;
  return JSON.stringify(row);
}
