/** Rows that are deleted with a row by foreign keys: read from the catalog, so that no new table is forgotten. */
import type { AnySql } from "../database/client.ts";

/** Rows of a table, as a condition over the array of ids `$1`. */
export interface Dependents {
  readonly table: string;
  readonly condition: string;
}

interface Reference {
  readonly child: string;
  readonly column: string;
  readonly parent: string;
  readonly referred: string;
}

/**
 * The tables whose rows are deleted with the rows of `root` that meet its condition, each once, the root itself first.
 * For a reference by owner and id, only the id is used. Any other reference of several columns also exists as one of a
 * single column.
 */
export async function dependentsOf(sql: AnySql, root: Dependents): Promise<Dependents[]> {
  const references = await cascades(sql);
  const conditions = new Map([[root.table, [root.condition]]]);
  const waiting = [root.table];
  for (let parent = waiting.shift(); parent !== undefined; parent = waiting.shift()) {
    const ofParent = conditions.get(parent)?.join(" or ");
    for (const { child, column, referred } of references.filter((one) => one.parent === parent)) {
      if (child === root.table) continue;
      const condition = `${column} in (select ${referred} from ${parent} where ${ofParent})`;
      const known = conditions.get(child);
      if (known === undefined) waiting.push(child);
      conditions.set(child, [...(known ?? []), condition]);
    }
  }
  return [...conditions].map(([table, each]) => ({ table, condition: each.join(" or ") }));
}

async function cascades(sql: AnySql): Promise<Reference[]> {
  const rows = await sql`
    select f.conrelid::regclass::text as child, quote_ident(min(c.attname)) as column,
           f.confrelid::regclass::text as parent, quote_ident(min(r.attname)) as referred
    from pg_constraint f cross join lateral unnest(f.conkey, f.confkey) as k (own, other)
    join pg_attribute c on c.attrelid = f.conrelid and c.attnum = k.own
    join pg_attribute r on r.attrelid = f.confrelid and r.attnum = k.other
    where f.contype = 'f' and f.confdeltype = 'c' and f.conparentid = 0
      and (cardinality(f.conkey) = 1 or c.attname <> 'owner_id')
    group by f.oid, f.conrelid, f.confrelid having count(*) = 1
    order by 1, 2`;
  return rows as unknown as Reference[];
}

/** Tables whose rows name an owner, and are deleted with the row that they belong to. They have no index by owner. */
export const WITH_THEIR_ROW = [
  ...["memory_versions", "embeddings", "token_vectors", "recall_feedback", "event_instants"],
  ...["todos", "decisions", "todo_dependencies", "workspace_events"],
  ...["maintenance_items", "maintenance_survivors", "webhook_deliveries", "idempotency_keys"],
];

/** Tables with a column `owner_id`, except those in `but`. */
export async function tablesWithOwner(sql: AnySql, but: readonly string[]): Promise<string[]> {
  const rows = await sql`
    select t.oid::regclass::text as name from pg_class t
    join pg_attribute c on c.attrelid = t.oid and c.attname = 'owner_id' and not c.attisdropped
    where t.relkind in ('r', 'p') and not t.relispartition
      and t.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and t.oid::regclass::text <> all(${but as string[]})
    order by 1`;
  return rows.map(({ name }) => name as string);
}

/** Counts the rows of each table. Tables without rows are left out. */
export async function countRows(
  sql: AnySql,
  dependents: readonly Dependents[],
  ids: readonly string[],
): Promise<Record<string, number>> {
  if (dependents.length === 0) return {};
  const each = dependents.map(
    ({ table, condition }) =>
      `select '${table.replaceAll("'", "''")}' as name, count(*) as rows from ${table} where ${condition}`,
  );
  const rows = await sql.unsafe(each.join(" union all "), [ids as string[]]);
  return Object.fromEntries(
    rows.filter((row) => Number(row.rows) > 0).map((row) => [row.name.replaceAll('"', ""), Number(row.rows)]),
  );
}
