/** Empty → head. After a new migration, `npx vitest run test/migrations -u` writes schema.sql anew. */
import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { type Address, connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { openServiceOn } from "../../src/compose/service.ts";
import { ownDatabase } from "../support/own-database.ts";
import { serviceConfig } from "../support/service-config.ts";
import { dumpSchema } from "./dump-schema.ts";

const files = readdirSync(new URL("../../src/adapters/postgres/database/migrations/", import.meta.url))
  .filter((name) => name.endsWith(".sql"))
  .toSorted();

function opened(address: Address): Sql {
  const sql = connect(address, 2);
  onTestFinished(() => sql.end());
  return sql;
}

const applied = async (sql: Sql) =>
  (await sql`select name from migrations order by name`).map(({ name }) => name);

test("an empty database becomes the committed schema, and migrating again changes nothing", async () => {
  const sql = opened(await ownDatabase({ empty: true }));
  await migrate(sql);
  const schema = await dumpSchema(sql);
  await expect(schema).toMatchFileSnapshot("./schema.sql");
  await migrate(sql);
  expect(await dumpSchema(sql)).toBe(schema);
  expect(await applied(sql)).toEqual(files);
});

test.each([2, 8])(
  "%i migrators at once on an empty database all succeed and apply each migration once",
  async (count) => {
    const address = await ownDatabase({ empty: true });
    await Promise.all(Array.from({ length: count }, () => migrate(opened(address))));
    const sql = opened(address);
    expect(await applied(sql)).toEqual(files);
    await expect(await dumpSchema(sql)).toMatchFileSnapshot("./schema.sql");
  },
);

test("two services that start at once on an empty database both serve, with one key and one embedding generation", async () => {
  const address = await ownDatabase({ empty: true });
  const BOOTSTRAP_API_KEY = "test-key-0123456789abcdef0123456789abcdef";
  const config = serviceConfig({ DATABASE_CONNECTIONS: "4", BOOTSTRAP_API_KEY });
  const open = async () => {
    const database = { address, died: new Promise<string>(() => {}), stop: async () => {} };
    const service = await openServiceOn(database, config, {
      role: "server",
      log: () => {},
      report: () => {},
    });
    onTestFinished(() => service.close());
    return service;
  };
  const services = await Promise.all([open(), open()]);
  for (const { credentials } of services) {
    expect(await credentials.authenticate(BOOTSTRAP_API_KEY)).not.toBeNull();
    expect(await credentials.list()).toHaveLength(1);
  }
  const sql = opened(address);
  expect(await sql`select id from embedding_generations`).toHaveLength(1);
  expect(await applied(sql)).toEqual(files);
});

test("a database with a newer migration is refused in one sentence, and left as it is", async () => {
  const sql = opened(await ownDatabase());
  await sql`insert into migrations (name) values ('999999_later.sql')`;
  const before = await dumpSchema(sql);
  const refusal =
    "The database has the migration 999999_later.sql, which this version cannot work with: start a newer version.";
  await expect(migrate(sql)).rejects.toThrow(new Error(refusal));
  expect(await dumpSchema(sql)).toBe(before);
  expect(await applied(sql)).toEqual([...files, "999999_later.sql"]);
});
