import type { Sql } from "../../src/adapters/postgres/database/client.ts";

/**
 * The schema as SQL text, made from the catalogue in one order and form, so that it is the same on every version of
 * Postgres: pg_dump's is not. Not-null is told by the column; Postgres 18 has constraints for it that 15 lacks.
 */
export async function dumpSchema(sql: Sql): Promise<string> {
  const tables = await sql`
    select c.oid::int, c.oid::regclass::text as name from pg_class c
    where c.relnamespace = any(${ours(sql)}) and c.relkind in ('r', 'p') order by c.oid::regclass::text collate "C"`;
  const parts: string[] = [];
  for (const { oid, name } of tables) {
    const members = [...(await columnsOf(sql, oid)), ...(await constraintsOf(sql, oid))];
    parts.push(`create table ${name} (\n${members.map((member) => `  ${member}`).join(",\n")}\n);`);
    parts.push(...(await indexesOf(sql, oid)));
  }
  return `${[...parts, ...(await otherObjects(sql))].join("\n\n")}\n`;
}

/** The schemas that are ours: what the service keeps, and what sign-in and OAuth keep. */
function ours(sql: Sql) {
  return sql`array(select oid from pg_namespace where nspname in ('public', 'auth'))`;
}

async function columnsOf(sql: Sql, table: number): Promise<string[]> {
  const rows = await sql`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as is_required,
      a.attidentity as identity, a.attgenerated as generated, pg_get_expr(d.adbin, d.adrelid) as expression
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${table} and a.attnum > 0 and not a.attisdropped order by a.attname`;
  return rows.map((row) =>
    [
      `${row.name} ${row.type}`,
      row.is_required ? "not null" : "",
      row.identity === "" ? "" : `generated ${row.identity === "a" ? "always" : "by default"} as identity`,
      row.generated === "" ? "" : `generated always as (${row.expression}) stored`,
      row.generated === "" && row.expression !== null ? `default ${row.expression}` : "",
    ]
      .filter((part) => part !== "")
      .join(" "),
  );
}

async function constraintsOf(sql: Sql, table: number): Promise<string[]> {
  const rows = await sql`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table} and contype in ('c', 'f', 'p', 'u', 'x') order by conname`;
  return rows.map((row) => `constraint ${row.name} ${row.definition}`);
}

async function indexesOf(sql: Sql, table: number): Promise<string[]> {
  const rows = await sql`
    select pg_get_indexdef(i.indexrelid) as definition, i.indisvalid as is_valid from pg_index i
    where i.indrelid = ${table} and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by i.indexrelid::regclass::text`;
  return rows.map((row) => `${row.definition};${row.is_valid ? "" : " -- not valid"}`);
}

/** What there is besides tables, as comments. */
async function otherObjects(sql: Sql): Promise<string[]> {
  const rows = await sql`
    select 'function ' || pg_get_functiondef(oid) as line from pg_proc where pronamespace = any(${ours(sql)})
    union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'view ' || relname || ' ' || pg_get_viewdef(oid) from pg_class
      where relnamespace = any(${ours(sql)}) and relkind in ('v', 'm')
    union all select 'sequence ' || relname from pg_class c where relnamespace = any(${ours(sql)}) and relkind = 'S'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
    union all select 'type ' || typname from pg_type t where typnamespace = any(${ours(sql)}) and typtype in ('d', 'e', 'r')
    union all select 'extension ' || extname from pg_extension where extname <> 'plpgsql'
    order by line`;
  return rows.map((row) => `-- ${row.line.trim().replaceAll(/\s*\n\s*/g, " ")}`);
}
