/** Migrations that fail in the middle. */
import { expect, onTestFinished, test } from "vitest";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { migrationsWith } from "../support/further-migrations.ts";
import { ownDatabase } from "../support/own-database.ts";
import { dumpSchema } from "./dump-schema.ts";

const NEXT = "900000_next.sql";

/** The migrator with one more migration. */
function migratorWith(statements: string) {
  const { folder, write } = migrationsWith({ [NEXT]: statements });
  return {
    migrate: (sql: Sql) => migrate(sql, { folder }),
    write: (text: string) => write(NEXT, text),
  };
}

async function database() {
  const sql = connect(await ownDatabase(), 1);
  onTestFinished(() => sql.end());
  return sql;
}

test.each([
  ["a statement that fails", "create table half (id int); insert into owners (kind) values ('nobody');"],
  ["a syntax error", "create table half (id int); creat table other (id int);"],
])("a migration with %s leaves nothing half applied, and works once it is mended", async (_, statements) => {
  const { migrate, write } = migratorWith(statements);
  const sql = await database();
  const before = await dumpSchema(sql);
  await expect(migrate(sql)).rejects.toThrow();
  // The same pool, of one connection: neither an open transaction nor the lock may be left on it.
  expect(await dumpSchema(sql)).toBe(before);
  expect(await sql`select name from migrations where name = ${NEXT}`).toEqual([]);
  const held = await sql`
    select 1 from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`;
  expect(held).toHaveLength(0);
  write("create table whole (id int);");
  await migrate(sql);
  expect(await dumpSchema(sql)).toContain("create table whole");
});

test("a migration whose last statement has no semicolon, or is a comment, is applied and recorded", async () => {
  const { migrate } = migratorWith("create table whole (id int)\n-- the end");
  const sql = await database();
  await migrate(sql);
  expect(await sql`select name from migrations where name = ${NEXT}`).toHaveLength(1);
  expect(await dumpSchema(sql)).toContain("create table whole");
});
