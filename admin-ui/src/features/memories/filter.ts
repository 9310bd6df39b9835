/** The filter that an address asks for, as the service understands it. */

import type { Space } from "../../shell/space.ts";
import type { client } from "../../shell/trpc.ts";
import type { MemoriesSearch } from "./address.ts";
import { FACETS, type Facet, valuesOf } from "./facet-values.ts";

/** The moment that is listed; now if there is none. Removals take none. */
interface Moment {
  readonly as_of?: string;
}

/** As lists, searches and removals take it. */
export type Filter = NonNullable<Parameters<typeof client.deleteMatching.mutate>[0]>["filter"];

export const NO_FILTER = {
  path: undefined,
  from: undefined,
  to: undefined,
  status: undefined,
  recalled: undefined,
  ids: undefined,
  ...(Object.fromEntries(FACETS.map((facet) => [facet, undefined])) as Record<Facet, undefined>),
} as const satisfies Partial<MemoriesSearch>;

export function hasFilter(search: MemoriesSearch): boolean {
  const given = search.status === "active" ? { ...search, status: undefined } : search;
  return Object.keys(NO_FILTER).some((name) => given[name as keyof MemoriesSearch] !== undefined);
}

/** Facets that have a filter of their own for one value, which the service answers from an index. */
const SINGLE = {
  project: "project_id",
  type: "memory_type",
  bucket: "bucket",
  agent: "agent_id",
} as const satisfies Partial<Record<Facet, keyof Filter>>;

export function filterOf(space: Space, search: MemoriesSearch): Filter & Moment {
  const chosen = FACETS.map((facet) => [facet, valuesOf(search, facet)] as const);
  const isSingle = ([facet, values]: (typeof chosen)[number]) =>
    facet in SINGLE && values.length === 1 && values[0] !== "" && !values[0]?.includes("%");
  const single = chosen.filter(isSingle);
  return {
    ...placeOf(space, search),
    ...Object.fromEntries(single.map(([facet, [value]]) => [SINGLE[facet as keyof typeof SINGLE], value])),
    ...oneOf(chosen.filter((one) => !isSingle(one))),
  };
}

/** The filter for counts by facet, each of which ignores the values of its own facet. `fixed`: what the page is about. */
export function facetFilterOf(
  space: Space,
  search: MemoriesSearch,
  fixed: Partial<MemoriesSearch>,
): Filter & Moment {
  const chosen = FACETS.filter((facet) => fixed[facet] === undefined).map(
    (facet) => [facet, valuesOf(search, facet)] as const,
  );
  return {
    ...placeOf(space, search),
    ...filterOf(space, fixed as MemoriesSearch),
    ...statusOf(search),
    ...oneOf(chosen),
  };
}

function oneOf(chosen: readonly (readonly [Facet, readonly string[]])[]): Pick<Filter, "one_of"> {
  const given = chosen.filter(([, values]) => values.length > 0);
  return given.length === 0
    ? {}
    : { one_of: Object.fromEntries(given.map(([facet, values]) => [facet, [...values]])) };
}

function placeOf(space: Space, search: MemoriesSearch): Filter & Moment {
  const { path, from, to, recalled, ids, as_of } = search;
  return {
    ...space.filter,
    // A path includes everything below it.
    ...(path === undefined ? {} : path.includes("%") ? { path } : { path_under: path }),
    ...(from === undefined ? {} : startOf(from, 0, "created_from")),
    ...(to === undefined ? {} : startOf(to, 1, "created_before")),
    ...(as_of === undefined ? {} : { as_of }),
    ...(recalled === undefined ? {} : { recalled: recalled === "ever" }),
    ...(ids === undefined ? {} : { memory_ids: ids.split(" ").filter(Boolean) }),
    ...statusOf(search),
  };
}

/** The service's pattern for any status leaves out what was forgotten. */
function statusOf({ status }: MemoriesSearch): Pick<Filter, "status"> {
  return status === undefined ? {} : { status: status === "any" ? "%" : status };
}

/** The instant at which a day of the reader's zone, or one so many days later, begins. */
function startOf(day: string, later: number, member: "created_from" | "created_before") {
  const instant = new Date(`${day}T00:00`);
  instant.setDate(instant.getDate() + later);
  return Number.isNaN(instant.getTime()) ? {} : { [member]: instant.toISOString() };
}
