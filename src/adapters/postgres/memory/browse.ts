/** Values by which a list of memories can be narrowed, with counts: the parts of their paths, and their facets. */
import { facets as facetNames } from "../../../contract/facet.ts";
import type { Caller } from "../../../core/caller.ts";
import type { MemoryFilter } from "../../../core/memory/memory-filter.ts";
import type { FacetCount, MemoryStore, PathPart } from "../../../core/memory/memory-store.ts";
import type { Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { facetValue } from "./facet-values.ts";
import { matches, type OfAnyStatus } from "./filter.ts";
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

type CountedFacet = FacetCount["facet"];

/** Facets that are counted in the same memories. */
interface CountedTogether {
  readonly facets: readonly CountedFacet[];
  readonly filter: OfAnyStatus<MemoryFilter>;
}

/** See `MemoryStore.facets`. */
export async function facets(
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter,
  { limit, memories }: Parameters<MemoryStore["facets"]>[2],
): Promise<FacetCount[]> {
  const counted = countedTogether(filter)
    .map((together) => countsIn(sql, caller, together, memories))
    .reduce((all, one) => sql`${all} union all ${one}`);
  const rows = await sql`
    with placed as (
      select *, row_number() over (partition by facet order by memories desc, value) as place from (${counted}) counted
    )
    select facet, value, memories, is_incomplete, case when facet = 'agent' then (
      select a.client ->> 'client_name' from agents a
      -- An agent that only claims its id may claim that of another owner's.
      where a.id = value and (a.approved_by = any(${visibleOwners(sql, caller)})
        or a.granted_team_id = any(${visibleOwners(sql, caller)}))
    ) end as name
    from placed where place <= ${limit} order by facet, place`;
  return rows.map((row) => fromRow<FacetCount>(row));
}

/** A facet that the filter narrows is counted without its own choice, so in other memories than the rest. */
function countedTogether(filter: MemoryFilter): CountedTogether[] {
  const oneOf = filter.oneOf ?? {};
  const chosen = facetNames.filter((facet) => oneOf[facet] !== undefined);
  const others = facetNames.filter((facet) => oneOf[facet] === undefined);
  const each: CountedTogether[] = [
    { facets: others, filter },
    { facets: ["status"], filter: { ...filter, status: null } },
    ...chosen.map((facet) => {
      const { [facet]: _, ...rest } = oneOf;
      return { facets: [facet], filter: { ...filter, oneOf: rest } };
    }),
  ];
  return each.filter((together) => together.facets.length > 0);
}

/** Counts in the newest `most` of the memories. Beyond that, one more is read, which shows that there are more. */
function countsIn(sql: Sql, caller: Caller, { facets, filter }: CountedTogether, most: number): Fragment {
  const column = (facet: CountedFacet): Fragment => sql.unsafe(`of_${facet}`);
  const list = (parts: readonly Fragment[]) => parts.reduce((all, one) => sql`${all}, ${one}`);
  const columns = list(
    facets.map((facet) => sql`${countedValue(sql, facet, filter.now)} as ${column(facet)}`),
  );
  const names = facets.map((facet) => sql`case when grouping(${column(facet)}) = 0 then ${facet}::text end`);
  // Written out, so that the planner knows that few of many are read, in the order of the lists' index.
  const newest = (count: number) =>
    sql`order by m.created_at desc, m.seq desc limit ${sql.unsafe(String(count))}`;
  return sql`(
    with newest as materialized (
      select m.* from ${ofEachOwner(
        sql,
        caller,
        (owner) => sql`
          select ${columns}, m.created_at, m.seq from memories m
          where m.owner_id = ${owner} and ${visible(sql, caller)} and ${matches(sql, filter)} ${newest(most + 1)}`,
      )} m ${newest(most + 1)}
    )
    select coalesce(${list(names)}) as facet, coalesce(${list(facets.map(column))}) as value, count(*)::int as memories,
      (select count(*) > ${most} from newest) as is_incomplete
    from (select * from newest m ${newest(most)}) counted
    group by grouping sets (${list(facets.map((facet) => sql`(${column(facet)})`))})
  )`;
}

function countedValue(sql: Sql, facet: CountedFacet, now: number): Fragment {
  if (facet !== "status") return facetValue(sql, facet, now);
  return sql`case when ${isLive(sql, now)} then 'active' else ${statusAt(sql, now)} end`;
}
