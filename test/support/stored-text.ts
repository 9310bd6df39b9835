import type { Sql } from "../../src/adapters/postgres/database/client.ts";
import { snakeCase } from "../../src/core/memory/member-table.ts";

/**
 * The columns in which a text is kept, as `table.column`, whatever their type: every table of the database is asked,
 * so that one added later cannot be forgotten. Bytes are compared as they are, JSON as its text.
 */
export async function columnsHolding(sql: Sql, text: string): Promise<string[]> {
  // One statement over all tables that have a page: to plan it over all, most of them empty, takes ten times as long.
  const [tables] = await sql`
    select string_agg(format('select unnest(array[%s]) as held from %I.%I', columns, schema, name), ' union all ') as each
    from (
      select t.relnamespace::regnamespace::text as schema, t.relname as name, string_agg(
        format(case when c.atttypid = 'bytea'::regtype
          then 'case when bool_or(position(convert_to($1, ''UTF8'') in %I) > 0) then %L end'
          else 'case when bool_or(position($1 in %I::text) > 0) then %L end' end,
          c.attname, t.relname || '.' || c.attname), ', ') as columns
      from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      where t.relkind in ('r', 'p') and not t.relispartition and (t.relkind = 'p' or pg_relation_size(t.oid) > 0) and t.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      group by 1, 2) as tables`;
  if (tables?.each == null) return [];
  const rows = await sql.unsafe(
    `select held from (${tables?.each}) as columns where held is not null order by held`,
    [text],
  );
  return rows.map(({ held }) => held);
}

/** The columns, as `table.column`, of all members with text that a redaction takes, but for those that are named. */
export function columnsOfWords<Name extends string>(
  table: string,
  members: Readonly<Record<Name, { readonly redacted: unknown; readonly screened?: unknown }>>,
  but: readonly NoInfer<Name>[],
): string[] {
  const names = Object.keys(members) as Name[];
  return names
    .filter((name) => "screened" in members[name] && members[name].redacted !== "kept" && !but.includes(name))
    .map((name) => `${table}.${snakeCase(name)}`);
}

/** A short text that changes with every change that callers can make, and with none that the worker makes later. */
export async function fingerprint(sql: Sql): Promise<string> {
  const [row] = await sql`
    select (select count(*) || ':' || coalesce(sum(revision), 0) from memories) as memories,
           (select count(*) from memory_versions) as versions, (select count(*) from audit_log) as audits,
           (select count(*) from tombstones) as tombstones, (select count(*) from receipts) as receipts,
           (select count(*) from idempotency_keys) as keys, (select count(*) from recall_feedback) as feedback,
           (select count(*) from owners) as owners, (select count(*) from tokens) as tokens,
           (select count(*) from team_members) as members`;
  return JSON.stringify(row);
}
