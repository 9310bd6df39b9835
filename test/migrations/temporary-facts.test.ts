/** What was superseded before there were facts that hold for a time stays superseded. */
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { createApp } from "../../src/compose/app.ts";
import { readConfig } from "../../src/compose/config.ts";
import { createLog } from "../../src/compose/log.ts";
import { openServiceOn } from "../../src/compose/service.ts";
import { migrationsWith } from "../support/further-migrations.ts";
import { clientOf } from "../support/http-client.ts";
import { ownDatabase } from "../support/own-database.ts";
import { everyScope } from "../support/world.ts";

const OWNER = "00000000-0000-4000-8000-000000000001";
const FIRST = "000010_temporary_facts.sql";

test("a fact that an expiring one superseded before the migration is not live again", async () => {
  const address = await ownDatabase({ empty: true });
  const sql = connect(address, 2);
  onTestFinished(() => sql.end());
  await migrate(sql, { folder: migrationsWith({}, { before: FIRST }).folder });
  await sql`insert into owners (id, kind, name) values (${OWNER}, 'user', 'alice')`;
  await sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status, content,
      semantic_key, version, superseded_by, superseded_at, importance, confidence, metadata, provenance, created_at, updated_at,
      expires_at)
    select gen_random_uuid(), ${OWNER}, id, ${OWNER}, gen_random_uuid(), 'private', 'notes', 'public', 'semantic', status, content,
      'host', version, successor, case when successor is not null then now() end, 0.5, 0.5, '{}', '{}', now(), now(), expires_at
    from (values ('usual', 'superseded', 'It is db-1.', 1, 'for-now', null),
      ('for-now', 'active', 'It is db-2.', 2, null, now() - interval '1 hour'))
      as v (id, status, content, version, successor, expires_at)`;

  const config = readConfig({ APP_ENV: "test", LOG_LEVEL: "error", DATABASE_CONNECTIONS: "4" });
  const service = await openServiceOn(
    { address, died: new Promise<string>(() => {}), stop: async () => {} },
    config,
    { role: "server", log: () => {}, report: () => {} },
  );
  onTestFinished(() => service.close());
  const { id: ownerId } = await service.credentials.ensureOwner("user", "alice");
  const { secret } = await service.credentials.issue({
    ...{ kind: "api_key", ownerId, name: null, scopes: everyScope, expiresAt: null },
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
  });
  const app = createApp(service, config, createLog(config));
  const client = clientOf("http://localhost", secret, async (request) => app.handle(request));

  expect((await client.get("/v1/memories/usual")).body).toMatchObject({
    status: "superseded",
    superseded_by: "for-now",
  });
  expect((await client.get("/v1/memories")).body.memories).toEqual([]);
  expect((await client.get("/v1/memories/search?query=host")).body.results).toEqual([]);
  // Their versions count all the same.
  const said = { path: "notes", semantic_key: "host" };
  const next = await client.post("/v1/memories", { ...said, content: "It is db-3." });
  expect(next.body).toMatchObject({ version: 3, superseded: [] });
});
