/** What a pool does where a server refuses connections, has become a replica, or is gone: on real servers. */
import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { awaitServer } from "../../src/adapters/postgres/database/await-server.ts";
import { type Address, connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { isUnavailable } from "../../src/adapters/postgres/database/failure.ts";
import { type Cluster, ownCluster, POSTGRES_PROGRAMS } from "../support/own-cluster.ts";
import { eventually } from "../support/processes.ts";
import { openWorldOn } from "../support/world.ts";

const describeOnClusters = describe.skipIf(POSTGRES_PROGRAMS === null);

function pool(address: Address, connectionsMax: number): Sql {
  const sql = connect(address, connectionsMax);
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/** Seven connections for the service, as a server has that keeps three of ten for its owner. */
const SEVEN = { max_connections: "10", superuser_reserved_connections: "3", max_wal_senders: "0" };

/** Takes them all; answers how to let go of some. */
async function holding(cluster: Cluster, connections: number) {
  const holders = Array.from({ length: connections }, () =>
    postgres(cluster.url(), { max: 1, onnotice: () => {} }),
  );
  const letGo = () => Promise.all(holders.splice(0).map((holder) => holder.end({ timeout: 1 })));
  onTestFinished(() => letGo().then(() => {}));
  await Promise.all(holders.map((holder) => holder`select 1`));
  return letGo;
}

const codeOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

describeOnClusters("a server with fewer connections than the pool", () => {
  test("serves every statement by those that work, transactions and reserved connections as well", async () => {
    const cluster = await ownCluster({ settings: SEVEN });
    const sql = pool({ url: cluster.url(), waitSeconds: 50 }, 16);
    await sql`create table notes (n int primary key)`;
    const statements = Array.from({ length: 400 }, (_, n) => sql`insert into notes values (${n})`);
    const transactions = Array.from({ length: 16 }, (_, n) =>
      sql.begin(async (transaction) => {
        await transaction`select pg_sleep(0.02)`;
        await transaction`insert into notes values (${400 + n})`;
      }),
    );
    const reserved = Array.from({ length: 16 }, async (_, n) => {
      const session = await sql.reserve();
      await session`insert into notes values (${416 + n})`;
      session.release();
    });
    await Promise.all([...statements, ...transactions, ...reserved]);
    expect((await sql`select count(*)::int as count from notes`)[0]).toEqual({ count: 432 });
  });

  test("that has none left makes a statement wait, and refuses it after that by what the server said", async () => {
    const cluster = await ownCluster({ settings: SEVEN });
    const letGo = await holding(cluster, 7);
    const impatient = pool({ url: cluster.url(), waitSeconds: 0.2 }, 4);
    const refusals = await Promise.all(
      Array.from({ length: 12 }, () =>
        impatient`select 1`.then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    );
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: "53300" });
      expect(isUnavailable(refusal)).toBe(true);
    }
    expect(await codeOf(impatient.begin((transaction) => transaction`select 1`))).toBe("53300");
    expect(await codeOf(impatient.reserve())).toBe("53300");
    const patient = pool({ url: cluster.url(), waitSeconds: 50 }, 4);
    const waiting = Promise.all(Array.from({ length: 12 }, () => patient`select 1 as one`));
    await letGo();
    expect((await waiting).flat()).toEqual(Array(12).fill({ one: 1 }));
  });

  test("keeps a start waiting, which says so once", async () => {
    const cluster = await ownCluster({ settings: SEVEN });
    const letGo = await holding(cluster, 7);
    const said: string[] = [];
    const start = awaitServer(pool({ url: cluster.url(), waitSeconds: 0 }, 2), (line) => said.push(line));
    await eventually("a line about it", () => (said.length > 0 ? true : undefined));
    await letGo();
    await start;
    expect(said).toEqual([
      "The database has no connection left: lower DATABASE_CONNECTIONS, or raise its max_connections. The start waits for it, for a minute at most.",
    ]);
  });
});

describeOnClusters("a server that is restarted", () => {
  test("costs no statement that was not under way", async () => {
    const cluster = await ownCluster();
    const sql = pool({ url: cluster.url(), waitSeconds: 50 }, 4);
    await sql`select 1`;
    await cluster.kill();
    const waiting = Promise.all([
      ...Array.from({ length: 20 }, () => sql`select 1 as one`),
      sql.begin((transaction) => transaction`select 1 as one`),
    ]);
    await cluster.start();
    expect((await waiting).flat()).toEqual(Array(21).fill({ one: 1 }));
  });

  test("is refused at once where none was ever there, and where it has been away for longer than one waits", async () => {
    const cluster = await ownCluster();
    const sql = pool({ url: cluster.url(), waitSeconds: 0.3 }, 2);
    await sql`select 1`;
    await cluster.kill();
    expect(await codeOf(sql`select 1`)).toBe("ECONNREFUSED");
    expect(await codeOf(pool({ url: cluster.url(), waitSeconds: 50 }, 2)`select 1`)).toBe("ECONNREFUSED");
    await cluster.start();
    await eventually(
      "it to be used again",
      async () => (await codeOf(sql`select 1`)) === "done" || undefined,
    );
  });
});

describeOnClusters("several servers", () => {
  const urlOf = (...clusters: Cluster[]) =>
    `postgres://service@${clusters.map(({ port }) => `127.0.0.1:${port}`).join(",")}/service`;
  const portOf = async (sql: Sql) => Number((await sql`select inet_server_port() as port`)[0]?.port);

  test("are tried until one can be written to, and again when that one is gone or has become a replica", async () => {
    const primary = await ownCluster();
    const replica = await primary.replica();
    const url = urlOf(replica, primary);
    const sql = pool({ url, waitSeconds: 50 }, 4);
    expect(await portOf(sql)).toBe(primary.port);
    expect(await portOf(pool({ url: `${url}?target_session_attrs=any` }, 1))).toBe(replica.port);
    expect(await portOf(pool({ url: `${url}?target_session_attrs=primary` }, 1))).toBe(primary.port);
    await sql`create table notes (n int)`;
    await primary.kill();
    const waiting = Promise.all(Array.from({ length: 20 }, (_, n) => sql`insert into notes values (${n})`));
    await replica.promote();
    await waiting;
    expect(await portOf(sql)).toBe(replica.port);
    // The old one comes back as one that cannot be written to, and nobody falls for it.
    await primary.start({ default_transaction_read_only: "on" });
    const late = pool({ url: urlOf(primary, replica) }, 8);
    expect(new Set(await Promise.all(Array.from({ length: 40 }, () => portOf(late))))).toEqual(
      new Set([replica.port]),
    );
    expect((await sql`select count(*)::int as count from notes`)[0]).toEqual({ count: 20 });
  });

  test("a connection that finds its server read-only is given up, and the next is on another server", async () => {
    const primary = await ownCluster();
    const replica = await primary.replica();
    const sql = pool({ url: urlOf(primary, replica), waitSeconds: 50 }, 1);
    await sql`create table notes (n int)`;
    // Read-only for new transactions of sessions that are there: what was a primary when they connected.
    await primary.asOwner((owner) => owner`alter system set default_transaction_read_only = on`);
    await primary.asOwner((owner) => owner`select pg_reload_conf()`);
    await eventually(
      "a write to be refused",
      async () => (await codeOf(sql`insert into notes values (1)`)) === "25006" || undefined,
    );
    const waiting = sql`insert into notes values (2)`.execute();
    await replica.promote();
    await waiting;
    expect(await portOf(sql)).toBe(replica.port);
  });

  test("that are all replicas are refused with a code that says so", async () => {
    const primary = await ownCluster();
    const replica = await primary.replica();
    const sql = pool({ url: `${replica.url()}?target_session_attrs=read-write`, waitSeconds: 0.1 }, 2);
    expect(await codeOf(sql`select 1`)).toBe("25006");
  });
});

describeOnClusters("a service whose database can only be read", () => {
  test("goes on to recall, answers writes with 503, and writes again when it can", async () => {
    const cluster = await ownCluster();
    const world = await openWorldOn({ address: { url: cluster.url() }, drop: async () => {} });
    onTestFinished(() => world.close());
    const client = await world.client();
    const write = () => client.post("/v1/remember", { content: "Tea at four.", path: "notes" });
    expect((await write()).status).toBe(201);
    const readOnly = async (value: "on" | "off") => {
      await cluster.asOwner((owner) =>
        owner.unsafe(`alter system set default_transaction_read_only = ${value}`),
      );
      await cluster.asOwner((owner) => owner`select pg_reload_conf()`);
    };
    await readOnly("on");
    const refused = await eventually("a write to be refused", async () => {
      const answer = await client.post("/v1/remember", { content: "Cake at five.", path: "notes" });
      return answer.status === 201 ? undefined : answer;
    });
    expect(refused).toMatchObject({ status: 503, body: { code: "dependency_unavailable" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const recalled = await client.post("/v1/recall/context", { query: "When is tea?" });
    expect([recalled.status, recalled.body.items[0]?.content]).toEqual([200, "Tea at four."]);
    const ready = await world.handle(new Request("http://localhost/readyz"));
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      {
        code: "dependency_unavailable",
        dependencies: { postgres: false },
        unavailable: { postgres: "it cannot be written to" },
      },
    ]);
    await readOnly("off");
    await eventually("writes", async () => ((await write()).status === 201 ? true : undefined));
    expect((await world.handle(new Request("http://localhost/readyz"))).status).toBe(200);
  });
});
