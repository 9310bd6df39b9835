/**
 * The record with its divided tables as hash partitions by owner (docs/decisions/0063), for tests: of one Postgres, where the
 * statements and triggers are those of every record. It is made of the schema as the migrations leave it, so that nothing of it is
 * written twice.
 */
import type { Sql, TransactionSql } from "../../src/adapters/postgres/database/client.ts";
import { DIVIDED } from "./owner-statements/statements.ts";

/** So many that owners of a test are seldom in the same one. */
export const PARTITIONS = 16;

/** What the planner's and the server's reports call a partition. */
const partitionOf = (table: string, at: number) => `${table}_p${String(at).padStart(2, "0")}`;

/** The divided table and the number of the partition; null for any other relation. */
export function partitionNamed(relation: string): { table: string; at: number } | null {
  const [, table, at] = /^(\w+)_p(\d\d)$/.exec(relation) ?? [];
  return table !== undefined && DIVIDED.includes(table) ? { table, at: Number(at) } : null;
}

/** Divides the tables of a database that has no rows of owners yet. */
export async function partitionByOwner(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    const tables = await Promise.all(DIVIDED.map((table) => readTable(tx, table)));
    const functions = await tx`
      select pg_get_functiondef(p.oid) as made from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' order by p.oid`;
    const views = await tx`
      select c.relname as name, pg_get_viewdef(c.oid) as made from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' order by c.oid`;
    for (const { name } of tables)
      await tx.unsafe(`create table ${name}_divided (
        like ${name} including defaults including constraints including identity including generated including storage
      ) partition by hash (owner_id)`);
    for (const { name } of tables) await tx.unsafe(`drop table ${name} cascade`);
    for (const { name, sequences } of tables) {
      await tx.unsafe(`alter table ${name}_divided rename to ${name}`);
      for (let at = 0; at < PARTITIONS; at++)
        await tx.unsafe(`create table ${partitionOf(name, at)} partition of ${name}
          for values with (modulus ${PARTITIONS}, remainder ${at})`);
      for (const { column, sequence } of sequences)
        await tx.unsafe(`do $$ begin execute format('alter sequence %s rename to %I',
          pg_get_serial_sequence('${name}', '${column}'), '${sequence}'); end $$`);
    }
    // As they were made: each after what it calls.
    for (const { made } of functions) await tx.unsafe(made);
    for (const { name, made } of views) await tx.unsafe(`create or replace view ${name} as ${made}`);
    for (const { keys } of tables) for (const key of keys) await tx.unsafe(key);
    for (const { references } of tables) for (const reference of references) await tx.unsafe(reference);
    for (const { indexes } of tables) for (const index of indexes) await tx.unsafe(index);
    for (const { triggers } of tables) for (const trigger of triggers) await tx.unsafe(trigger);
    await watchMoves(tx);
  });
}

interface Table {
  readonly name: string;
  readonly sequences: readonly { readonly column: string; readonly sequence: string }[];
  /** Statements that make what the table has, with the owner in every key. */
  readonly keys: readonly string[];
  readonly references: readonly string[];
  readonly indexes: readonly string[];
  readonly triggers: readonly string[];
}

async function readTable(sql: TransactionSql, name: string): Promise<Table> {
  const sequences = await sql`
    select a.attname as column, s.relname as sequence from pg_attribute a
    join pg_class s on s.oid = pg_get_serial_sequence(${name}, a.attname)::regclass
    where a.attrelid = ${name}::regclass and a.attidentity <> '' and not a.attisdropped`;
  const constraints = await sql`
    select conname as name, contype as type, confrelid::regclass::text as parent, confdeltype as deletes,
      array(select attname::text from unnest(conkey) with ordinality k (n, at)
        join pg_attribute on attrelid = conrelid and attnum = n order by at) as columns,
      array(select attname::text from unnest(confkey) with ordinality k (n, at)
        join pg_attribute on attrelid = confrelid and attnum = n order by at) as referred
    from pg_constraint where conrelid = ${name}::regclass and contype in ('p', 'u', 'f') order by conname`;
  const indexes = await sql`
    select pg_get_indexdef(i.indexrelid) as made from pg_index i
    where i.indrelid = ${name}::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`;
  const triggers = await sql`
    select pg_get_triggerdef(oid) as made from pg_trigger
    where tgrelid = ${name}::regclass and not tgisinternal and tgname <> all(${[`${name}_owner`, ...REPLACED]})`;
  const add = (constraint: string, what: string) =>
    `alter table ${name} add constraint ${constraint} ${what}`;
  return {
    name,
    sequences: sequences as unknown as Table["sequences"],
    keys: constraints
      .filter(({ type }) => type !== "f")
      .map(({ name: key, type, columns }) =>
        add(key, `${type === "p" ? "primary key" : "unique"} (${withOwner(columns)})`),
      ),
    references: constraints
      .filter(({ type }) => type === "f")
      // An event's owner may be a team of the webhook's owner: the log keeps what is still to be delivered, without a reference.
      .filter(({ parent }) => parent !== "events")
      .map((one) => add(one.name, referenceOf(one as unknown as Reference))),
    indexes: indexes.map(({ made }) => made),
    triggers: triggers.map(({ made }) => made),
  };
}

interface Reference {
  readonly parent: string;
  readonly columns: readonly string[];
  readonly referred: readonly string[];
  readonly deletes: string;
}

/** What belongs to a memory, item or run goes where that goes; what names another item is looked at when all have gone. */
function referenceOf({ parent, columns, referred, deletes }: Reference): string {
  const onDelete = { c: "on delete cascade", n: `on delete set null (${columns})` }[deletes] ?? "";
  if (!DIVIDED.includes(parent))
    return `foreign key (${columns}) references ${parent} (${referred}) ${onDelete}`;
  const isLink = ["depends_on", "supersedes"].includes(columns[0] as string);
  const onUpdate = isLink ? "deferrable initially deferred" : "on update cascade";
  return `foreign key (${withOwner(columns)}) references ${parent} (${withOwner(referred)}) ${onDelete} ${onUpdate}`;
}

/** Behind the rest: within a partition the owner tells little. */
function withOwner(columns: readonly string[]): string {
  const quoted = columns.map((column) => `"${column}"`);
  return (columns.includes("owner_id") ? quoted : [...quoted, "owner_id"]).join(", ");
}

/** A row that goes to another partition is for row triggers one that goes and one that comes. These look at statements instead. */
const REPLACED = ["memories_moved", "memories_noted_anew", "memories_noted_out", "memories_totalled_anew"];

async function watchMoves(sql: TransactionSql): Promise<void> {
  await asFunction(sql, "note_event", "note_change");
  await asFunction(sql, "count_changed_memory", "count_change");
  await sql.unsafe(`
    create function note_changed_rows() returns trigger language plpgsql as $$
    begin
      perform note_change('UPDATE', o, n) from old_rows o join new_rows n on n.id = o.id
      where n.revision <> o.revision or n.owner_id <> o.owner_id;
      perform count_change('UPDATE', o, n) from old_rows o join new_rows n on n.id = o.id
      where (o.status, o.owner_id, o.scope, o.bucket, o.memory_type, o.project_id, o.workspace_item, o.expires_at,
        o.superseded_until) is distinct from (n.status, n.owner_id, n.scope, n.bucket, n.memory_type, n.project_id,
        n.workspace_item, n.expires_at, n.superseded_until);
      return null;
    end $$;
    create function note_removed_rows() returns trigger language plpgsql as $$
    begin
      perform note_change('DELETE', o, null) from old_rows o;
      return null;
    end $$;
    create trigger memories_noted_anew after update on memories referencing old table as old_rows new table as new_rows
      for each statement execute function note_changed_rows();
    create trigger memories_noted_out after delete on memories referencing old table as old_rows
      for each statement execute function note_removed_rows();`);
}

/** The function of a row trigger, to be called with the rows. */
async function asFunction(sql: TransactionSql, trigger: string, name: string): Promise<void> {
  const [row] = await sql`select prosrc as body from pg_proc where proname = ${trigger}`;
  if (!row) throw new Error(`no function ${trigger}`);
  const body = row.body.replaceAll("return null;", "return;");
  await sql.unsafe(
    `create function ${name}(tg_op text, old memories, new memories) returns void language plpgsql as $body$${body}$body$`,
  );
}
