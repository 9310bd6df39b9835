import type { Sql } from "../database/client.ts";

/** With fewer rows, any plan is fast. */
const ROWS_MIN = 100;

/**
 * Analyses the table of memories for the first time, as soon as it has rows. Postgres does so by itself only a minute
 * later. Until then, the planner expects a handful of rows for an owner, and reads all of them instead of using the
 * index of similar memories. Returns true once nothing is left to do, also if this role may not analyse the table.
 */
export async function hasFirstStatistics(sql: Sql): Promise<boolean> {
  const [table] = await sql`
    select s.n_live_tup::int as rows, pg_has_role(c.relowner, 'usage') as is_ours,
      coalesce(s.last_analyze, s.last_autoanalyze) is not null as is_analysed
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.relid = 'memories'::regclass`;
  if (table?.is_analysed === true || table?.is_ours === false) return true;
  if ((table?.rows ?? 0) < ROWS_MIN) return false;
  await sql`analyze memories`;
  return true;
}
