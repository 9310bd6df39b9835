/** SQL of the facets of the row `m`. Filters and counts read the same values. */
import { changedWithin, expiresWithin, type Facet } from "../../../contract/facet.ts";
import { authorities } from "../../../contract/memory.ts";
import { CHANGED_DAYS, EXPIRES_DAYS } from "../../../core/memory/facet.ts";
import type { FacetValues } from "../../../core/memory/memory-filter.ts";
import type { AnySql, Fragment } from "../database/client.ts";

const DAY_MS = 24 * 3_600_000;

/** Columns of facets that are null for the empty value. */
const NULLABLE: Readonly<Partial<Record<Facet, (sql: AnySql) => Fragment>>> = {
  project: (sql) => sql`m.project_id`,
  agent: (sql) => sql`m.agent_id`,
};

const VALUES: Readonly<Record<Facet, (sql: AnySql, now: number) => Fragment>> = {
  project: (sql) => sql`coalesce(m.project_id, '')`,
  type: (sql) => sql`m.memory_type`,
  bucket: (sql) => sql`m.bucket`,
  agent: (sql) => sql`coalesce(m.agent_id, '')`,
  authority(sql) {
    const known = sql.unsafe(`array['${authorities.join("', '")}']`);
    // Reads the metadata once.
    return sql`coalesce((${known})[array_position(${known}, m.metadata ->> 'authority')], '')`;
  },
  changed(sql, now) {
    const cases = CHANGED_DAYS.map(
      (days, at) =>
        sql`when m.updated_at > ${now - days * DAY_MS} then ${text(sql, changedWithin[at] as string)}`,
    );
    return sql`case ${cases.reduce((all, one) => sql`${all} ${one}`)} else ${text(sql, "older")} end`;
  },
  expires(sql, now) {
    const [past, week, later] = expiresWithin;
    return sql`case when m.expires_at is null then '' when m.expires_at <= ${now} then ${text(sql, past)}
      when m.expires_at <= ${now + EXPIRES_DAYS * DAY_MS} then ${text(sql, week)} else ${text(sql, later)} end`;
  },
};

/** The row's value of a facet: a text, empty if it has none. Counterpart of the core's `facetValues`. */
export const facetValue = (sql: AnySql, facet: Facet, now: number): Fragment => VALUES[facet](sql, now);

/**
 * True if the row has one of the values, for each facet that is named. A column by itself, and one value by itself, are
 * found by an index and in its order.
 */
export function hasOneOf(sql: AnySql, chosen: FacetValues, now: number): Fragment {
  return Object.entries(chosen).reduce((all, [facet, values]) => {
    const column = values.includes("") ? undefined : NULLABLE[facet as Facet];
    const value = column?.(sql) ?? facetValue(sql, facet as Facet, now);
    const [first, ...others] = values;
    const isOne = others.length === 0 ? sql`${first as string}` : sql`any(${values as string[]}::text[])`;
    return sql`${all} and ${value} = ${isOne}`;
  }, sql`true`);
}

/** A literal of the contract; none contains a quote. */
const text = (sql: AnySql, value: string): Fragment => sql.unsafe(`'${value}'`);
