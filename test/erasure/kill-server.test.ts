/** kill -9 of a server amid an erasure that was asked for: the next one finishes it, asked by nobody. */
import { expect, test } from "vitest";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { createVisitor } from "../browser/support/visitor.ts";
import { eventually } from "../support/acting.ts";
import { httpClient } from "../support/http-client.ts";
import { eventually as until } from "../support/processes.ts";
import { runs } from "../support/random.ts";
import { type Home, home, KEY, startServer } from "../support/server.ts";
import { columnsHolding } from "../support/stored-text.ts";

const KILLS = runs(2);
const MEMORIES = 15_000;

test(`after ${KILLS} times kill -9 the erasure ends by itself, and its receipt counts everything once`, {
  timeout: 180_000 + KILLS * 120_000,
}, async () => {
  const at = await home();
  let running = await startServer(at, "bun");
  let sql = await databaseOf(at);
  const [owner] = await sql`select id from owners where name = 'local'`;
  await plant(sql, { owner: owner?.id, by: owner?.id, count: MEMORIES, text: "memory" });
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

/** What a page of the admin UI sends with the session of the person who sets up the server. */
async function firstPerson({ server, url }: Awaited<ReturnType<typeof startServer>>) {
  const code = await until(
    "the way to an account",
    async () => /\/setup\?code=(\S+)/.exec(server.stdout() + server.stderr())?.[1],
  );
  const visitor = createVisitor(url, fetch);
  await visitor.get(`/setup?code=${code}`);
  await visitor.submit("/setup", "/setup", {
    code,
    email: "ada@example.com",
    password: "correct horse battery",
  });
  const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");
  return async (at: string, path: string, body: object) => {
    const headers = { "content-type": "application/json", origin: at, cookie };
    const answer = await fetch(`${at}/trpc/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return (await answer.json()).result.data;
  };
}

test(`after ${KILLS} times kill -9 nothing is left of a person in two workspaces, and every record was erased once`, {
  timeout: 180_000 + KILLS * 120_000,
}, async () => {
  const at = await home({ fresh: true });
  const setUp = { BOOTSTRAP_API_KEY: "" };
  let running = await startServer(at, "bun", setUp);
  const ask = await firstPerson(running);
  const { team_id } = await ask(running.url, "createTeam", { name: "crew" });
  let sql = await databaseOf(at);
  const [owner] = await sql`select id from owners where name = 'local'`;
  const count = MEMORIES / 2;
  await plant(sql, { owner: owner?.id, by: owner?.id, count, text: "Ada Lovelace says" });
  await plant(sql, { owner: team_id, by: owner?.id, count, text: "ADA LOVELACE wrote" });
  await plant(sql, { owner: owner?.id, by: owner?.id, count: 3, text: "Grace Hopper says" });
  const terms = ["Ada Lovelace"];
  const { plan_hash, found } = await ask(running.url, "eraseSubject", { terms });
  expect(found).toBe(MEMORIES);
  const { erasure_id } = await ask(running.url, "eraseSubject", { terms, dry_run: false, plan_hash });

  const erasure = async () => {
    const [row] = await sql`
      select e.erased + e.skipped as done, e.skipped, e.finished_at is not null as is_done, cardinality(e.receipts) as receipts,
        (select count(*)::int from memories where content ilike 'Ada Lovelace%') as left
      from subject_erasures e where e.id = ${erasure_id}`;
    return row as unknown as {
      done: number;
      skipped: number;
      is_done: boolean;
      receipts: number;
      left: number;
    };
  };
  for (let kills = 0; kills < KILLS; kills += 1) {
    const before = (await erasure()).done;
    await eventually(erasure, ({ done }) => done > before, 60_000);
    await sql.end({ timeout: 1 });
    await running.server.kill();
    running = await startServer(at, "bun", setUp);
    sql = await databaseOf(at);
    const { done, left, is_done } = await erasure();
    expect([kills, is_done, done + left]).toEqual([kills, false, MEMORIES]);
  }
  const { skipped, left, receipts } = await eventually(erasure, ({ is_done }) => is_done, 180_000);
  expect({ skipped, left }).toEqual({ skipped: 0, left: 0 });
  // In the browser that it was begun in, and after the restarts.
  const { erasures } = await ask(running.url, "subjectErasures", {});
  expect(erasures).toMatchObject([{ id: erasure_id, records: MEMORIES, erased: MEMORIES }]);
  expect(erasures[0].receipts).toHaveLength(receipts);
  const [counted] = await sql`select sum((removed -> 'memories')::int)::int as memories from receipts`;
  expect(counted?.memories).toBe(MEMORIES);
  expect(await columnsHolding(sql, "Ada Lovelace")).toEqual([]);
  expect(await sql`select from subject_erasure_records`).toHaveLength(0);
  expect(await sql`select from memories where content like 'Grace Hopper%'`).toHaveLength(3);
  await sql.end({ timeout: 1 });
});

interface Planted {
  readonly owner: string;
  readonly by: string;
  readonly count: number;
  readonly text: string;
}

async function plant(sql: Sql, { owner, by, count, text }: Planted): Promise<void> {
  const scope = owner === by ? "private" : "team";
  await sql`
    insert into memories (id, owner_id, author_id, author_token, memory_id, path, bucket, scope, memory_type, status, content,
      importance, confidence, metadata, provenance, version, created_at, updated_at)
    select gen_random_uuid(), ${owner}, ${by}, ${by}, gen_random_uuid(), 'p', 'b', ${scope}, 'semantic', 'active',
      ${text} || ' ' || n, 0.5, 0.5, '{}', '{}', 1, now(), now() from generate_series(1, ${count}::int) n`;
}

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
