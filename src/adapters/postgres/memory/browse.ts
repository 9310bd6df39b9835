/** Values by which a list of memories can be narrowed: the parts of their paths, and their labels. */
import type { Caller } from "../../../core/caller.ts";
import type { MemoryFilter } from "../../../core/memory/memory-filter.ts";
import type { LabelCount, MemoryStore, PathPart } from "../../../core/memory/memory-store.ts";
import type { Sql } from "../database/client.ts";
import { matches, matchesOf } from "./filter.ts";
import { ofEachOwner, visible } from "./visibility.ts";

/** See `MemoryStore.pathsBelow`. */
export async function pathsBelow(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  { below, limit }: Parameters<MemoryStore["pathsBelow"]>[2],
): Promise<PathPart[]> {
  const rest = below === null ? sql`m.path` : sql`substr(m.path, length(${below}::text) + 2)`;
  const rows = await sql`
    select split_part(rest, '/', 1) as name, count(*)::int as memories, bool_or(strpos(rest, '/') > 0) as has_below
    from (
      select m.rest from ${ofEachOwner(
        sql,
        caller,
        (owner) => sql`
          select ${rest} as rest from memories m
          where m.owner_id = ${owner} and ${visible(sql, caller)} and ${matches(sql, filter)}
            ${below === null ? sql`` : sql`and starts_with(m.path, ${`${below}/`})`}`,
      )} m
    ) paths
    group by 1 order by 1 limit ${limit}`;
  return rows.map((row) => ({ name: row.name, memories: row.memories, hasBelow: row.has_below }));
}

/** See `MemoryStore.labels`. */
export async function labels(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  limit: number,
): Promise<LabelCount[]> {
  const rows = await sql`
    select kind, value, memories from (
      select kind, value, memories, row_number() over (partition by kind order by memories desc, value) as place from (
        select
          case when grouping(m.bucket) = 0 then 'bucket' when grouping(m.memory_type) = 0 then 'type' else 'agent' end
            as kind,
          coalesce(m.bucket, m.memory_type, m.agent_id) as value,
          count(*)::int as memories
        from ${matchesOf(sql, caller, filter, sql`m.bucket, m.memory_type, m.agent_id`)} m
        group by grouping sets ((m.bucket), (m.memory_type), (m.agent_id))
      ) counted
      where value is not null
    ) placed
    where place <= ${limit} order by kind, place`;
  return rows as unknown as LabelCount[];
}
