import type { Sql } from "../database/client.ts";

/** Fewer rows are read in no time however they are found. */
const ROWS_MIN = 100;

/**
 * Has the table of memories analysed for the first time, as soon as there is something in it: until Postgres does so by itself,
 * a minute later, the planner takes an owner for a handful of rows, and looks through all of them where an index of what is
 * alike has the answer. Answers true once nothing is left to do, also where this role may not do it.
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
