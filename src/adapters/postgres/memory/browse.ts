/** Values by which a list of memories can be narrowed, with counts: the parts of their paths, and their facets. */
import { facets as facetNames } from "../../../contract/facet.ts";
import type { Caller } from "../../../core/caller.ts";
import type { MemoryFilter } from "../../../core/memory/memory-filter.ts";
import type { FacetCount, MemoryStore, PathPart } from "../../../core/memory/memory-store.ts";
import type { Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { facetValue } from "./facet-values.ts";
import { matches, statusMatches } from "./filter.ts";
import { isLive, statusAt } from "./supersession.ts";
import { ofEachOwner, visible, visibleOwners } from "./visibility.ts";

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

/**
 * See `MemoryStore.facets`. The memories are read once, and counted by all of their values together; the few kinds that
 * remain are then counted for each facet.
 */
export async function facets(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  limit: number,
): Promise<FacetCount[]> {
  const { now, status, oneOf, asOf } = filter;
  // In the past, the filter itself says what was live.
  const inStatus = asOf === null ? statusMatches(sql, status, now) : sql`true`;
  const name = (facet: CountedFacet) => sql.unsafe(`kind.of_${facet}`);
  const rows = await sql`
    with kind as (
      select * from ${ofEachOwner(
        sql,
        caller,
        (owner) => sql`
          select ${facetColumns(sql, now)}, ${inStatus} as in_status, count(*) as memories
          from memories m
          where m.owner_id = ${owner} and ${visible(sql, caller)}
            and ${matches(sql, { ...filter, status: null, oneOf: null })}
          group by ${sql.unsafe([...counted, "in_status"].map((_, at) => at + 1).join(", "))}`,
      )} of_each
    ), placed as (
      select facet, value, sum(memories)::int as memories,
        row_number() over (partition by facet order by sum(memories) desc, value) as place
      from kind cross join lateral (values ${counted
        .map((facet) => {
          const others = facetNames.filter((other) => other !== facet && oneOf?.[other] !== undefined);
          const passes = others.map(
            (other) => sql`and ${name(other)} = any(${oneOf?.[other] as string[]}::text[])`,
          );
          const first = facet === "status" ? sql`true` : sql`kind.in_status`;
          return sql`(${facet}::text, ${name(facet)}, ${passes.reduce((all, one) => sql`${all} ${one}`, first)})`;
        })
        .reduce((all, one) => sql`${all}, ${one}`)}) as each (facet, value, is_counted)
      where is_counted group by facet, value
    )
    select facet, value, memories, case when facet = 'agent' then (
      select a.client ->> 'client_name' from agents a
      -- An agent that only claims its id may claim that of another owner's.
      where a.id = value and (a.approved_by = any(${visibleOwners(sql, caller)})
        or a.granted_team_id = any(${visibleOwners(sql, caller)}))
    ) end as name
    from placed where place <= ${limit} order by facet, place`;
  return rows.map((row) => fromRow<FacetCount>(row));
}

type CountedFacet = FacetCount["facet"];
const counted: readonly CountedFacet[] = [...facetNames, "status"];

function facetColumns(sql: Sql, now: number): Fragment {
  const status = sql`case when ${isLive(sql, now)} then 'active' else ${statusAt(sql, now)} end`;
  return counted
    .map((facet) => {
      const value = facet === "status" ? status : facetValue(sql, facet, now);
      return sql`${value} as ${sql.unsafe(`of_${facet}`)}`;
    })
    .reduce((all, one) => sql`${all}, ${one}`);
}
