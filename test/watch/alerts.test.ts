/**
 * The alerts in `deploy/prometheus`, by a real Prometheus with the scrape that stands there: real servers are well, then each has
 * a fault of its own, and what Prometheus tells of each is awaited.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { openReceiver } from "../events/receiver.ts";
import { freshOwner, stored } from "../support/acting.ts";
import { backUp } from "../support/backup.ts";
import { freePort } from "../support/free-port.ts";
import { ownCluster, POSTGRES_PROGRAMS } from "../support/own-cluster.ts";
import { eventually } from "../support/processes.ts";
import { home } from "../support/server.ts";
import { openWorld, openWorldOn, type World } from "../support/world.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/prometheus/", import.meta.url));
const TOKEN = "metrics-token-0123456789abcdef0123456789";
const PROGRAM = process.env.PROMETHEUS ?? "prometheus";
const isHere = spawnSync(PROGRAM, ["--version"]).status === 0;

/** A server that is watched, what becomes of it, and what is to be told of that. */
interface Case {
  readonly fault: string;
  readonly alert: string;
  /** Where it is scraped, as `host:port`. */
  readonly target: string;
  readonly befalls: () => unknown;
  /** Where the fault is there from the start: it cannot be well before. */
  readonly isAlwaysThere?: boolean;
}

/** The world behind a port of its own. It goes with the test. */
async function listening(world: World): Promise<string> {
  const listener = await listen({ fetch: world.handle, host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await listener.close();
    await world.close();
  });
  return new URL(listener.url).host;
}

async function clusterWorld(env: Record<string, string> = {}) {
  const cluster = await ownCluster({ logFileMegabytes: 1 });
  const database = { address: { url: cluster.url() }, drop: async () => {} };
  const world = await openWorldOn(database, { METRICS_TOKEN: TOKEN, LOG_LEVEL: "silent", ...env });
  return { cluster, world, target: await listening(world) };
}

async function ownWorld(env: Record<string, string> = {}) {
  const world = await openWorld({ METRICS_TOKEN: TOKEN, LOG_LEVEL: "silent", ...env });
  return { world, sql: world.service.sql, target: await listening(world) };
}

/** Does it again and again until the test is over, whatever comes of it. What hangs then ends with its server. */
function again(work: () => Promise<unknown>): void {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  void (async () => {
    while (!isOver) await work().catch(() => {});
  })();
}

async function postgresAway(): Promise<Case> {
  const { cluster, target } = await clusterWorld();
  return { fault: "Postgres away", alert: "RecollectPostgresAway", target, befalls: cluster.kill };
}

async function readOnly(): Promise<Case> {
  const { cluster, target } = await clusterWorld();
  return {
    fault: "Postgres read-only",
    alert: "RecollectPostgresAway",
    target,
    befalls: () =>
      cluster.asOwner(async (owner) => {
        await owner`alter system set default_transaction_read_only = on`;
        await owner`select pg_reload_conf()`;
      }),
  };
}

async function diskFull(): Promise<Case> {
  const { cluster, world, target } = await clusterWorld();
  const client = await world.client();
  return {
    fault: "no room for what is written",
    alert: "RecollectDiskFull",
    target,
    // It is there with the first write that is refused.
    befalls: () =>
      new Promise<void>((resolve) => {
        // Of its log a file is as long as this: that goes on.
        cluster.limitFiles(1024 * 1024);
        again(() =>
          stored(client, { content: randomBytes(20_000).toString("base64") }).catch(() => resolve()),
        );
      }),
  };
}

/** Somebody locks a table, and every request holds its connection until there are none. */
async function poolExhausted(): Promise<Case> {
  const { cluster, world, target } = await clusterWorld({ DATABASE_CONNECTIONS: "4" });
  const clients = await Promise.all([1, 2, 3, 4].map(() => world.client({ owner: freshOwner() })));
  const locker = connect({ url: cluster.url() }, 1);
  onTestFinished(() => locker.end({ timeout: 1 }));
  return {
    fault: "no connection left in the pool",
    alert: "RecollectPoolExhausted",
    target,
    async befalls() {
      await locker.unsafe("begin; lock table memories in access exclusive mode");
      for (const client of clients) for (let at = 0; at < 3; at += 1) again(() => stored(client));
    },
  };
}

async function elasticsearchAway(): Promise<Case> {
  const { target } = await ownWorld({ ELASTICSEARCH_URL: "http://127.0.0.1:9" });
  const fault = "Elasticsearch away";
  return { fault, alert: "RecollectSearchEngineAway", target, befalls() {}, isAlwaysThere: true };
}

async function indexBehind(): Promise<Case> {
  const { world, sql, target } = await ownWorld();
  const { ownerId } = await world.client({ owner: freshOwner() });
  return {
    fault: "the index behind its record",
    alert: "RecollectIndexBehind",
    target,
    // As a server leaves it that has taken the line and hangs.
    befalls: () => sql`
      insert into outbox (owner_id, memory, revision, kind, queued_at, available_at)
      values (${ownerId}, gen_random_uuid(), 1, 'put', now() - interval '2 minutes', now() + interval '1 hour')`,
  };
}

async function workerFails(): Promise<Case> {
  const { sql, target } = await ownWorld();
  const befalls = () => sql`alter table outbox rename to out_of_the_box`;
  return { fault: "a worker that fails", alert: "RecollectDegraded", target, befalls };
}

async function restored(): Promise<Case> {
  const { world, sql, target } = await ownWorld();
  await stored(await world.client());
  const befalls = await backUp(sql);
  return { fault: "a backup that was put back", alert: "RecollectRestored", target, befalls };
}

async function takenOver(): Promise<Case> {
  const primary = await ownCluster();
  const replica = await primary.replica();
  const url = `postgres://service@127.0.0.1:${primary.port},127.0.0.1:${replica.port}/service`;
  const database = { address: { url }, drop: async () => {} };
  const world = await openWorldOn(database, { METRICS_TOKEN: TOKEN, LOG_LEVEL: "silent" });
  return {
    fault: "a failover",
    alert: "RecollectRestored",
    target: await listening(world),
    async befalls() {
      await primary.kill();
      await replica.promote();
    },
  };
}

async function undelivered(): Promise<Case> {
  const { sql, target, stores } = await withReceiver({ WEBHOOK_RETRY_SECONDS: "3600" });
  return {
    fault: "events that are not delivered",
    alert: "RecollectEventsBehind",
    target,
    async befalls() {
      await stores();
      await eventually("an event to wait", async () => {
        const [waiting] = await sql`select count(*)::int as count from webhook_deliveries`;
        return (waiting?.count as number) > 0 || undefined;
      });
      await sql`update events set noted_at = noted_at - interval '10 minutes'`;
    },
  };
}

async function givenUp(): Promise<Case> {
  const { target, stores } = await withReceiver({ WEBHOOK_ATTEMPTS: "1" });
  return { fault: "events that were given up", alert: "RecollectEventsGivenUp", target, befalls: stores };
}

/** A webhook whose receiver takes nothing. */
async function withReceiver(env: Record<string, string>) {
  const receiver = await openReceiver(() => 500);
  onTestFinished(() => receiver.close());
  const { world, sql, target } = await ownWorld({ OUTBOUND_ALLOW: "127.0.0.1", ...env });
  const client = await world.client({ owner: freshOwner() });
  expect(await client.post("/v1/webhooks", { url: receiver.url })).toMatchObject({ status: 201 });
  return { sql, target, stores: () => stored(client) };
}

/** A server of this version on a database that nobody has brought up to date. */
async function migrationsWaiting(): Promise<Case> {
  const at = await home({ fresh: true, embedded: true });
  const cluster = await ownCluster();
  const port = await freePort();
  const env = { DATABASE_URL: cluster.url(), MIGRATE_ON_START: "off", PORT: String(port) };
  return {
    fault: "migrations that wait",
    alert: "RecollectDown",
    target: `127.0.0.1:${port}`,
    befalls: () => at.start("node", { ...env, METRICS_TOKEN: TOKEN }),
    isAlwaysThere: true,
  };
}

/** By the files in `deploy/`, but for what is scraped and the token. Answers how to ask it. */
async function prometheus(targets: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "recollect-prometheus-"));
  const config = parse(readFileSync(join(FOLDER, "prometheus.yml"), "utf8"));
  const [scrape] = config.scrape_configs;
  scrape.authorization = { credentials: TOKEN };
  scrape.static_configs = [{ targets }];
  config.rule_files = [join(FOLDER, "alerts.yml")];
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const port = await freePort();
  const child: ChildProcess = spawn(
    PROGRAM,
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return async (path: string): Promise<any> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => null);
    return response?.ok ? ((await response.json()) as { data: unknown }).data : null;
  };
}

describe.skipIf(!isHere || POSTGRES_PROGRAMS === null)("Prometheus, of Debian's package", () => {
  test("tells of each fault, and before of none", { timeout: 300_000 }, async () => {
    const cases: Case[] = [];
    for (const make of [
      ...[postgresAway, readOnly, diskFull, poolExhausted, elasticsearchAway, indexBehind, workerFails],
      ...[restored, takenOver, undelivered, givenUp, migrationsWaiting],
    ])
      cases.push(await make());
    const ask = await prometheus(cases.map(({ target }) => target));
    const well = cases.filter(({ isAlwaysThere }) => !isAlwaysThere);
    await eventually("each server to be scraped a few times", async () => {
      const counts = await ask(`query?query=${encodeURIComponent("count_over_time(up[5m])")}`);
      const scraped = new Map(
        counts?.result.map((one: { metric: { instance: string }; value: [number, string] }) => [
          one.metric.instance,
          Number(one.value[1]),
        ]),
      );
      return well.every(({ target }) => ((scraped.get(target) as number) ?? 0) >= 3) || undefined;
    });
    interface Told {
      readonly labels: { readonly alertname: string; readonly instance: string };
      readonly state: string;
    }
    const firing = async () =>
      ((await ask("alerts")).alerts as Told[]).filter(({ state }) => state === "firing");
    const targets = new Set(well.map(({ target }) => target));
    expect((await firing()).filter(({ labels }) => targets.has(labels.instance))).toEqual([]);
    const seconds = new Map<string, number>();
    const untold: string[] = [];
    await Promise.all(
      cases.map(async ({ fault, alert, target, befalls }) => {
        await befalls();
        const at = performance.now();
        await eventually(
          `${alert} because of ${fault}`,
          async () =>
            (await firing()).some(({ labels }) => labels.alertname === alert && labels.instance === target) ||
            undefined,
          { withinMs: 120_000, everyMs: 500 },
        ).then(
          () => seconds.set(fault, (performance.now() - at) / 1000),
          () => untold.push(fault),
        );
      }),
    );
    for (const [fault, after] of seconds)
      process.stderr.write(`${fault}: told after ${after.toFixed(1)} s\n`);
    expect(untold).toEqual([]);
  });
});
