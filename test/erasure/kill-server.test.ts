/** kill -9 of a server amid an erasure that was asked for over the network: the next one finishes it, asked by nobody. */
import { expect, test } from "vitest";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { eventually } from "../support/acting.ts";
import { httpClient } from "../support/http-client.ts";
import { runs } from "../support/random.ts";
import { type Home, home, KEY, startServer } from "../support/server.ts";

const KILLS = runs(2);
const MEMORIES = 15_000;

test(`after ${KILLS} times kill -9 the erasure ends by itself, and its receipt counts everything once`, {
  timeout: 180_000 + KILLS * 120_000,
}, async () => {
  const at = await home();
  let running = await startServer(at, "bun");
  let sql = await databaseOf(at);
  const [owner] = await sql`select id from owners where name = 'local'`;
  await sql`
    insert into memories (id, owner_id, author_id, author_token, memory_id, path, bucket, scope, memory_type, status, content,
      importance, confidence, metadata, provenance, version, created_at, updated_at)
    select gen_random_uuid(), ${owner?.id}, ${owner?.id}, ${owner?.id}, 'm' || n, 'p', 'b', 'private', 'semantic', 'active',
      'memory ' || n, 0.5, 0.5, '{}', '{}', 1, now(), now() from generate_series(1, ${MEMORIES}::int) n`;
  const client = httpClient(running.url, KEY);
  const plan = (await client.post("/v1/erasures", {})).body;
  expect(plan.would_remove.memories).toBe(MEMORIES);
  const request = { dry_run: false, confirm: "local", plan_hash: plan.plan_hash };
  expect((await client.post("/v1/erasures", request)).status).toBe(200);

  for (let kills = 0; kills < KILLS; kills += 1) {
    const before = kills === 0 ? 0 : (await progress(sql, owner?.id)).removed;
    await eventually(
      () => progress(sql, owner?.id),
      ({ removed }) => removed > before,
      60_000,
    );
    await sql.end({ timeout: 1 });
    await running.server.kill();
    running = await startServer(at, "bun", { BOOTSTRAP_API_KEY: `${KEY}-${kills}` });
    sql = await databaseOf(at);
    const { removed, left, isDone } = await progress(sql, owner?.id);
    expect([kills, isDone, removed + left]).toEqual([kills, false, MEMORIES]);
  }
  const receipt = await eventually(
    async () => (await fetch(`${running.url}/v1/erasures/${plan.erasure_id}`)).json(),
    ({ state }) => state === "confirmed",
    120_000,
  );
  expect(receipt.removed).toMatchObject({ memories: MEMORIES, tokens: 1, owners: 1 });
  expect(await sql`select from memories`).toHaveLength(0);
  expect(await sql`select from owners where id = ${owner?.id}`).toHaveLength(0);
  await sql.end({ timeout: 1 });
});

/** Of one moment: what the receipt says and what is there. */
async function progress(sql: Sql, ownerId: string) {
  const [row] = await sql`
    select (removed -> 'memories')::int as removed, finished_at is not null as done,
      (select count(*)::int from memories where owner_id = ${ownerId}) as left from erasures`;
  return { removed: row?.removed ?? 0, left: row?.left as number, isDone: row?.done as boolean };
}

async function databaseOf(at: Home): Promise<Sql> {
  if (at.url !== null) return connect({ url: at.url }, 1);
  const { connection } = await openEmbeddedPostgres({ dataDir: at.dataDir, role: "tool", log: () => {} });
  return connect(connection, 1);
}
