/** Migrating as a step of its own, and servers whose role can do nothing but read and write rows. */
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { type Address, connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { grantToRuntime } from "../../src/adapters/postgres/database/runtime-role.ts";
import { createApp } from "../../src/compose/app.ts";
import { createLog } from "../../src/compose/log.ts";
import { openServiceOn } from "../../src/compose/service.ts";
import { everyRequest } from "../support/every-route.ts";
import { migrationsWith } from "../support/further-migrations.ts";
import { clientOf } from "../support/http-client.ts";
import { ownDatabase } from "../support/own-database.ts";
import { eventually } from "../support/processes.ts";
import { serviceConfig } from "../support/service-config.ts";
import { everyScope } from "../support/world.ts";

function opened(address: Address): Sql {
  const sql = connect(address, 2);
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/** A role that owns nothing, and the address of the database for it. */
async function runtimeRole(address: Address, sql: Sql): Promise<{ role: string; address: Address }> {
  const role = `recollect_app_${randomBytes(4).toString("hex")}`;
  await sql`create role ${sql(role)} login`;
  onTestFinished(async () => {
    await sql`drop owned by ${sql(role)}`;
    await sql`drop role ${sql(role)}`;
  });
  if (!("url" in address)) return { role, address: { ...address, username: role } };
  const url = new URL(address.url);
  url.username = role;
  return { role, address: { url: url.toString() } };
}

function serviceOn(address: Address, told: { log?: string[]; waiting?: string[] } = {}) {
  const config = serviceConfig({
    LOG_LEVEL: "silent",
    DATABASE_CONNECTIONS: "4",
    MIGRATE_ON_START: "off",
    OWNER_MEMORIES_MAX: "100000",
  });
  const database = { address, died: new Promise<string>(() => {}), stop: async () => {} };
  const opening = openServiceOn(database, config, {
    role: "server",
    log: (line) => told.log?.push(line),
    report: (error) => told.log?.push(String(error)),
    waiting: (why) => told.waiting?.push(why),
  });
  return { config, opening };
}

test("a service runs by a role that owns nothing, and that cannot change the schema", async () => {
  const address = await ownDatabase();
  const sql = opened(address);
  const app = await runtimeRole(address, sql);
  await grantToRuntime(sql, app.role);
  const log: string[] = [];
  const { config, opening } = serviceOn(app.address, { log });
  const service = await opening;
  onTestFinished(() => service.close());
  const owner = await service.credentials.ensureOwner("user", "alice");
  const { secret } = await service.credentials.issue({
    ...{ kind: "api_key", ownerId: owner.id, name: null, scopes: everyScope, expiresAt: null },
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
  });
  const handle = createApp(service, config, createLog(config)).handle;
  const client = clientOf("http://localhost", secret, async (request) => handle(request));
  for (const name of Object.keys(everyRequest(client, "x"))) {
    const { body } = await client.post("/v1/remember", { content: `For ${name}.`, path: "p" });
    const answer = await everyRequest(client, body.id)[name]?.();
    expect({ name, status: answer?.status }).toEqual({ name, status: expect.toSatisfy((s) => s < 500) });
  }
  for (const path of ["/v1/agents/register", "/v1/projects/apollo/todos", "/v1/projects/apollo/decisions"])
    expect((await client.post(path, { content: "c", name: "n", context: "x" })).status).toBeLessThan(500);
  expect((await client.get("/v1/events")).status).toBe(200);
  await service.accounts.invite(owner);
  await service.teams.list();

  const restricted = opened(app.address);
  for (const statement of [
    "create table mine (id integer)",
    "alter table memories add column mine integer",
    "drop table audit_log",
    "truncate memories",
    "create index mine on memories (source)",
    "alter table memories disable trigger all",
    "create schema mine",
    "insert into migrations (name) values ('000099_mine.sql')",
    "update migration_steps set oldest_program = null",
    "create function mine() returns integer language sql return 1",
  ])
    await expect(restricted.unsafe(statement), statement).rejects.toMatchObject({ code: "42501" });
  const owned = await sql`
    select from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = ${app.role}`;
  expect(owned).toHaveLength(0);
  expect(log.filter((line) => line.includes("permission denied"))).toEqual([]);
});

test("a server that may not migrate waits for the schema, says so, and goes on when it is there", async () => {
  const address = await ownDatabase({ empty: true });
  const sql = opened(address);
  const [log, waiting]: [string[], string[]] = [[], []];
  const { opening } = serviceOn(address, { log, waiting });
  await eventually("the server to wait", () => (waiting.length > 0 ? true : undefined));
  expect(waiting[0]).toBe("The database schema is not up to date yet.");
  expect(log[0]).toMatch(
    /lacks 000001_accounts\.sql, .+: run `recollect migrate` as the role that owns it\./,
  );
  expect(await sql`select to_regclass('memories') as name`).toEqual([{ name: null }]);
  await migrate(sql);
  const service = await opening;
  await service.close();
});

test("a schema of a newer version is worked with where that version says so, and refused where not", async () => {
  const address = await ownDatabase();
  const sql = opened(address);
  const expand = migrationsWith({ "900000_expand.sql": "alter table memories add column shade text;" });
  await migrate(sql, { folder: expand.folder });
  await (await serviceOn(address).opening).close();
  expand.write("900001_contract.sql", "--! oldest program 900000\nalter table memories drop column shade;");
  await migrate(sql, { folder: expand.folder });
  await expect(serviceOn(address).opening).rejects.toThrow(
    "The database has the migration 900001_contract.sql, which this version cannot work with: start a newer version.",
  );
});
