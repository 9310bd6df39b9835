/** Work that one process does at a time, on the connections that there are. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../../../src/adapters/postgres/database/client.ts";
import { withSessionLock } from "../../../src/adapters/postgres/database/locks.ts";
import { createDatabase } from "../../support/own-database.ts";
import { everyScope, openWorld } from "../../support/world.ts";

let database: Awaited<ReturnType<typeof createDatabase>>;
let [one, other]: Sql[] = [];
beforeAll(async () => {
  database = await createDatabase();
  [one, other] = [connect(database.address, 2), connect(database.address, 2)];
});
afterAll(async () => {
  await Promise.all([one?.end(), other?.end()]);
  await database.drop();
});

test("work of many names has one connection between them, and leaves the others to be worked with", async () => {
  const names = Array.from({ length: 6 }, (_, n) => `work ${n}`);
  let running = 0;
  let together = () => {};
  const all = new Promise<void>((resolve) => {
    together = resolve;
  });
  const done = await Promise.all(
    names.map((name) =>
      withSessionLock(one as Sql, name, async () => {
        running += 1;
        if (running === names.length) together();
        await all;
        const [row] = await (one as Sql)`select ${name}::text as name`;
        return row?.name;
      }),
    ),
  );
  expect(done).toEqual(names);
});

test("work of one name is done by one at a time, in this process and in another", async () => {
  const within = await withSessionLock(one as Sql, "alone", async () => ({
    here: await withSessionLock(one as Sql, "alone", async () => "again"),
    there: await withSessionLock(other as Sql, "alone", async () => "too"),
  }));
  expect(within).toEqual({ here: null, there: null });
  expect(await withSessionLock(other as Sql, "alone", async () => "after")).toBe("after");
});

test("work that fails lets go of its lock, and of the others' connection only with the last of them", async () => {
  await withSessionLock(one as Sql, "longer", async () => {
    const failed = withSessionLock(one as Sql, "shorter", () => Promise.reject(new Error("It failed.")));
    await expect(failed).rejects.toThrow("It failed.");
    expect(await withSessionLock(other as Sql, "shorter", async () => "free")).toBe("free");
    expect(await withSessionLock(other as Sql, "longer", async () => "taken")).toBeNull();
  });
  expect(await withSessionLock(other as Sql, "longer", async () => "free")).toBe("free");
});

test("where the connection of the locks breaks, others are taken on another, and whoever had one is told", async () => {
  const outcome = withSessionLock(one as Sql, "broken", async () => {
    await (other as Sql)`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`;
    expect(await withSessionLock(one as Sql, "meanwhile", async () => "done")).toBe("done");
  });
  // Its own lock went with the connection.
  await expect(outcome).rejects.toThrow();
  expect(await withSessionLock(other as Sql, "broken", async () => "free")).toBe("free");
});

test("a service begins and serves with as few connections as may be set", async () => {
  const world = await openWorld({ DATABASE_CONNECTIONS: "2" });
  const client = await world.client({ scopes: everyScope });
  const written = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      client.post("/v1/memories", { path: "a", content: `The ${n}th is written.` }),
    ),
  );
  expect(written.map(({ status }) => status)).toEqual(written.map(() => 201));
  expect((await client.get("/v1/memories")).body.total).toBe(12);
  await world.close();
});
