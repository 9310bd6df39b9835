/** What doctor finds of a database that needs a hand, and says to do. */
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { createIncarnations } from "../../src/adapters/postgres/database/incarnation.ts";
import { readDatabaseUpkeep } from "../../src/adapters/postgres/database/upkeep.ts";
import { checkUpkeep } from "../../src/cli/doctor-database.ts";
import { freshOwner, stored } from "../support/acting.ts";
import { createDatabase } from "../support/own-database.ts";
import { openWorld } from "../support/world.ts";

async function ownWorld() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { sql } = world.service;
  const wrong = async (poolMax = 8) =>
    checkUpkeep(await readDatabaseUpkeep(sql), poolMax)
      .filter(({ status }) => status !== "ok")
      .map(({ check }) => check);
  return { world, sql, wrong };
}

test("nothing is wrong with a database that nothing is wrong with, redacted memories or not", async () => {
  const { world, sql, wrong } = await ownWorld();
  const client = await world.client({ owner: freshOwner() });
  const id = await stored(client, { content: "Soon gone." });
  await client.delete(`/v1/memories/${id}?mode=redact`);
  expect(await wrong()).toEqual([]);
  expect((await readDatabaseUpkeep(sql)).bytes).toBeGreaterThan(0);
});

test("a restored record, and rows that are ahead of the cluster, are named, and looking changes nothing", async () => {
  const { address, drop } = await createDatabase();
  const sql = connect(address, 2);
  onTestFinished(async () => {
    await sql.end();
    await drop();
  });
  await createIncarnations(sql).current();
  expect((await readDatabaseUpkeep(sql)).movedBy).toBeNull();
  await sql`update record_incarnations set system = 'another'`;
  expect((await readDatabaseUpkeep(sql)).movedBy).toBe("restored");
  expect(await sql`select reason from record_incarnations`).toEqual([{ reason: "first" }]);
});

test("connections, erasures and receipts that need a hand are each named", async () => {
  const { sql, wrong } = await ownWorld();
  await sql`
    insert into erasures (id, owner_id, kind, name_digest, started_at)
    values (gen_random_uuid(), gen_random_uuid(), 'user', 'x', now() - interval '2 minutes')`;
  await sql`
    insert into receipts (id, owner_id, token_id, remaining, removed, digest, pending, created_at)
    values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '{}', '{}', 'x', 1, now() - interval '2 hours')`;
  expect(await wrong(1_000_000)).toEqual(["connections", "erasures", "receipts"]);
});

test("a database that takes no writes is broken, and one whose clock is off is told", () => {
  const good = {
    isReadOnly: false,
    clockAheadMs: 3,
    bytes: 1,
    oldestWriteSeconds: 0,
    connectionsLeft: 50,
    movedBy: null,
    ahead: 0,
    unfinishedErasures: 0,
    unconfirmedReceipts: 0,
  } as const;
  const of = (change: object) =>
    checkUpkeep({ ...good, ...change }, 8)
      .filter(({ status }) => status !== "ok")
      .map(({ check, status, advice }) => [check, status, advice !== null]);
  expect(of({})).toEqual([]);
  expect(of({ isReadOnly: true })).toEqual([["writes", "broken", true]]);
  expect(of({ clockAheadMs: -60_000 })).toEqual([["clock", "warning", true]]);
  expect(of({ oldestWriteSeconds: 300 })).toEqual([["transactions", "warning", true]]);
  expect(of({ movedBy: "restored" })).toEqual([["restore", "warning", true]]);
  expect(of({ ahead: 4 })).toEqual([["restore", "warning", true]]);
});
