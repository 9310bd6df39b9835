/**
 * What moves from one owner to another, in a record whose tables are partitioned by owner, cut off in the middle: the session ends
 * as it does where its server is killed. All is with the one owner still, and asking again moves it, once.
 */
import { expect, onTestFinished, test } from "vitest";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { approve, confirm, register, user } from "../agents/agents.ts";
import { ok, workspaceOf } from "../project/workspace.ts";
import { eventually, stored } from "../support/acting.ts";
import { createDatabase } from "../support/own-database.ts";
import { partitionByOwner } from "../support/partitioned.ts";
import { openWorldOn, type World } from "../support/world.ts";

async function openPartitioned(): Promise<{ world: World; sql: Sql }> {
  const database = await createDatabase();
  const sql = connect(database.address, 3);
  if (process.env.TEST_PARTITIONED !== "1") await partitionByOwner(sql);
  const world = await openWorldOn(database);
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await world.close();
  });
  return { world, sql };
}

/** Ends the session of the request where it waits to write to the table, when it has changed memories already. */
async function cutOff(sql: Sql, table: string, request: () => Promise<unknown>): Promise<void> {
  await sql.begin(async (blocking) => {
    await blocking`lock table ${blocking(table)} in share mode`;
    const answered = request().catch(() => {});
    await eventually(
      () => sql`
        select pg_terminate_backend(w.pid) from pg_locks w
        where not w.granted and w.relation = ${table}::regclass and exists (
          select from pg_locks h where h.pid = w.pid and h.granted and h.mode = 'RowExclusiveLock'
            and h.relation = 'memories'::regclass
        )`,
      (ended) => ended.length === 1,
    );
    await answered;
  });
}

/** How many rows of each table an owner has that a move takes along or leaves, in the order of their names. */
async function rowsOf(sql: Sql, ownerId: string): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of ["memories", "memory_versions", "todos", "tombstones", "workspace_events"]) {
    const [row] = await sql`select count(*)::int as rows from ${sql(table)} where owner_id = ${ownerId}`;
    rows[table] = row?.rows;
  }
  const [line] = await sql`
    select count(*)::int as rows from audit_log where owner_id = ${ownerId} and operation in ('adopt', 'update', 'agent_bind')`;
  return { ...rows, lines: line?.rows };
}

test("a memory that is cut off on its way to a team is its owner's still, and goes when it is asked for again", async () => {
  const { world, sql } = await openPartitioned();
  const [alice, team] = [await world.client(), await world.client({ team: "research" })];
  await world.service.teams.setRole(team.ownerId, alice.ownerId, "owner");
  const id = await stored(alice, { content: "It was private." });
  await ok(alice.patch(`/v1/memories/${id}`, { content: "It is private." }));
  const held = async () => [await rowsOf(sql, alice.ownerId), await rowsOf(sql, team.ownerId)];
  const before = await held();
  const move = () => alice.patch(`/v1/memories/${id}`, { scope: "team", team_id: team.ownerId });
  await cutOff(sql, "tombstones", move);
  expect(await held()).toEqual(before);
  expect(await ok(alice.get(`/v1/memories/${id}`))).toMatchObject({ scope: "private" });
  expect((await team.get(`/v1/memories/${id}`)).status).toBe(404);

  await ok(move());
  const [left, arrived] = await held();
  expect(left).toMatchObject({ memories: 0, memory_versions: 0, tombstones: 1 });
  expect(arrived).toMatchObject({ memories: 1, tombstones: 0 });
  expect(await ok(team.get(`/v1/memories/${id}`))).toMatchObject({ scope: "team" });
});

test.each([["workspace_events"], ["tombstones"]])(
  "an adoption that is cut off before %s has taken nothing, and is whole when it is confirmed again",
  async (table) => {
    const { world, sql } = await openPartitioned();
    const agent = await register(world);
    const work = workspaceOf(agent.client, "of-the-agent");
    const first = (await work.todo()).body.todo_id;
    await work.todo({ content: "Then this.", depends_on: [first] });
    await stored(agent.client, { content: "Written before it was anybody's." });
    const alice = await user(world, "alice");
    const [{ quarantine_id: quarantine } = {}] = await sql`select quarantine_id from agents`;
    const token = await approve(world, agent, alice);
    const held = async () => [await rowsOf(sql, quarantine), await rowsOf(sql, alice.id)];
    const before = await held();
    expect(before).toMatchObject([{ memories: 3 }, { memories: 0 }]);
    await cutOff(sql, table, () => confirm(agent, token));
    expect(await held()).toEqual(before);
    expect((await agent.client.get("/v1/memories")).body.memories).toHaveLength(1);

    const bound = await ok(confirm(agent, token));
    expect(bound).toMatchObject({ status: "bound" });
    expect(await held()).toMatchObject([
      { memories: 0, todos: 0, workspace_events: 0, tombstones: 3 },
      { memories: 3, todos: 2, tombstones: 0, lines: 4 },
    ]);
    expect(await ok(world.withToken(bound.token).get("/v1/memories"))).toMatchObject({ total: 1 });
  },
);
