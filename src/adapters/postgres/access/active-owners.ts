import type { Sql } from "../database/client.ts";

/** Owners whose memories can be searched by someone who was active within the last day, the latest active first. */
export async function recentlyActiveOwners(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql`
    with active as (
      select owner_id, max(last_used_at) as at from tokens
      where last_used_at > now() - interval '1 day' group by owner_id order by at desc limit ${limit}
    )
    select owner_id from (
      select owner_id, at from active
      union all
      select t.team_id, active.at from active join team_members t on t.user_id = active.owner_id
    ) searched group by owner_id order by max(at) desc, owner_id limit ${limit}`;
  return rows.map((row) => row.owner_id as string);
}
