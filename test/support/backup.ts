import type { Sql } from "../../src/adapters/postgres/database/client.ts";
import { retried } from "../../src/adapters/postgres/database/transactions.ts";

/**
 * Keeps what all tables hold now, in the same database, and answers how to put it back in place, as a dump of data does that
 * is loaded into emptied tables: triggers off, ids and sequences as they were. Connections and servers stay.
 */
export async function backUp(sql: Sql): Promise<() => Promise<void>> {
  const tables = await sql`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname`;
  await sql.unsafe("drop schema if exists kept cascade; create schema kept");
  for (const { name } of tables) await sql.unsafe(`create table kept.${name} as table public.${name}`);
  const counters =
    await sql`select sequencename as name, last_value from pg_sequences where schemaname = 'public'`;
  const putBack = () =>
    sql.begin(async (transaction) => {
      await transaction.unsafe("set local session_replication_role = replica");
      await transaction.unsafe(`truncate ${tables.map(({ name }) => name).join(", ")} cascade`);
      for (const { name, columns } of tables)
        await transaction.unsafe(
          `insert into ${name} (${columns}) overriding system value select ${columns} from kept.${name}`,
        );
      for (const { name, last_value: last } of counters)
        if (last !== null) await transaction`select setval(${name}, ${last as number})`;
    }) as unknown as Promise<void>;
  // A server that goes on writing may hold one of the tables while it waits for another.
  return () => retried(putBack);
}
