/** One can go back by one version: a program serves on the schema after a migration that it does not know yet. */
import { expect, onTestFinished, test } from "vitest";
import { type Address, connect } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { relayTo } from "../oauth/relay.ts";
import { everyRequest } from "../support/every-route.ts";
import { migrationsWith } from "../support/further-migrations.ts";
import { httpClient } from "../support/http-client.ts";
import { ownDatabase } from "../support/own-database.ts";
import { home, KEY } from "../support/server.ts";

/** What migrations may do while servers of the version before are running. */
const EXPANDING = {
  "900000_expand.sql": `
    alter table memories add column shade text;
    alter table owners add column shade text not null default 'none';
    create table shades (name text primary key);
    create function shade() returns trigger language plpgsql as $$
    begin
      insert into shades values (new.memory_type) on conflict do nothing;
      return new;
    end $$;
    create trigger memories_shaded before insert on memories for each row execute function shade();`,
  "900001_index.sql": "--! concurrently\ncreate index concurrently memories_by_shade on memories (shade);",
};

/** Starts a server on the database and asks every route: none fails, and nothing behind them does. */
async function expectServed(database: Address): Promise<void> {
  const { address } = await relayTo(database);
  const at = await home({ fresh: true, embedded: true });
  const server = at.start("node", {
    DATABASE_URL: "url" in address ? address.url : "",
    BOOTSTRAP_API_KEY: KEY,
  });
  const client = httpClient(await server.ready(), KEY);
  for (const name of Object.keys(everyRequest(client, "x"))) {
    const { status, body } = await client.post("/v1/remember", { content: `For ${name}.`, path: "p" });
    expect(status).toBe(201);
    const answer = await everyRequest(client, body.id)[name]?.();
    expect({ name, status: answer?.status }).toEqual({ name, status: expect.toSatisfy((s) => s < 500) });
  }
  expect(server.stderr()).not.toMatch(/"level":(?:50|60)|will be tried again/);
  expect((await server.stop()).code).toBe(0);
}

test("a server serves on the schema of the version after it", async () => {
  const database = await ownDatabase();
  const sql = connect(database, 2);
  onTestFinished(() => sql.end({ timeout: 1 }));
  await migrate(sql, { folder: migrationsWith(EXPANDING).folder });
  await expectServed(database);
}, 240_000);
