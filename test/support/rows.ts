import type { Sql } from "../../src/adapters/postgres/database/client.ts";

/** How many rows each table of the service has, whatever tables there are. */
export async function rowsOf(sql: Sql): Promise<Record<string, number>> {
  const tables = await sql`
    select table_schema || '.' || table_name as name, format('%I.%I', table_schema, table_name) as quoted
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`;
  const counted = await Promise.all(
    tables.map(async ({ name, quoted }) => {
      const [row] = await sql.unsafe(`select count(*)::int as rows from ${quoted}`);
      return [name as string, row?.rows as number] as const;
    }),
  );
  return Object.fromEntries(counted);
}
