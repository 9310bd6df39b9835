import type { Fragment, TransactionSql } from "../database/client.ts";
import { withChain } from "./supersession.ts";

/**
 * Takes what was merged out of the provenance of the memories that it went into, and out of their former states: what is
 * about to be erased must not live on there. The memories are found by the chain that leads to them.
 * Their revision stays: no index holds provenance, and who changes a memory reads it under its lock.
 */
export async function forgetMerged(sql: TransactionSql, ids: readonly string[]): Promise<void> {
  const others = sql`
    ${withChain(sql, ids)}, gone as (
      select array_agg(memory_id) as names from memories where id = any(${ids as string[]})
    ), other as (
      select id from link where id <> all(${ids as string[]})
    )`;
  await sql`
    ${others}
    update memories m set provenance = ${without(sql, sql`m.provenance`)}
    from gone where m.id in (select id from other) and ${names(sql, sql`m.provenance`)}`;
  await sql`
    ${others}
    update memory_versions v set state = jsonb_set(v.state, '{provenance}', ${without(sql, sql`v.state -> 'provenance'`)})
    from gone where v.memory in (select id from other) and ${names(sql, sql`v.state -> 'provenance'`)}`;
}

function names(sql: TransactionSql, provenance: Fragment): Fragment {
  return sql`exists (
    select from jsonb_array_elements(${entries(sql, provenance)}) entry where entry ->> 'id' = any(gone.names))`;
}

function without(sql: TransactionSql, provenance: Fragment): Fragment {
  return sql`jsonb_set(${provenance}, '{merged_from}', (
    select coalesce(jsonb_agg(entry), '[]') from jsonb_array_elements(${entries(sql, provenance)}) entry
    where coalesce(entry ->> 'id' <> all(gone.names), true)))`;
}

/** Callers write provenance too: it may be anything. */
function entries(sql: TransactionSql, provenance: Fragment): Fragment {
  return sql`case jsonb_typeof(${provenance} -> 'merged_from') when 'array' then ${provenance} -> 'merged_from' else '[]' end`;
}
