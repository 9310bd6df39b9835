/** Three servers under load, a migration beside them, and each replaced by the next version: no request fails. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type Address, connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { grantToRuntime } from "../../src/adapters/postgres/database/runtime-role.ts";
import { relayTo } from "../oauth/relay.ts";
import { type Balancer, startBalancer } from "../support/balancer.ts";
import { httpClient } from "../support/http-client.ts";
import { ownDatabase } from "../support/own-database.ts";
import { eventually } from "../support/processes.ts";
import { type Home, home, KEY, runtimes, type ServerProcess } from "../support/server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** What the next version changes: a column, an index on it that is made while others write, and a value in every row. */
const NEXT = {
  "900000_shade.sql": "alter table memories add column shade text;",
  "900001_by_shade.sql":
    "--! concurrently\ncreate index concurrently memories_by_shade on memories (owner_id, shade);",
  "900002_shades.sql":
    "--! batches of memories by id\nupdate memories set shade = 'grey' where id > $1 and id <= $2;",
};

/** The next version of the program, in a folder of its own. */
function nextVersion(): string {
  const folder = mkdtempSync(join(tmpdir(), "recollect-next-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const name of ["src", "bin", "models", "package.json", "tsconfig.json"])
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  for (const [name, text] of Object.entries(NEXT))
    writeFileSync(join(folder, "src/adapters/postgres/database/migrations", name), text);
  return folder;
}

async function roleWithout(sql: Sql): Promise<string> {
  const role = `recollect_app_${randomBytes(4).toString("hex")}`;
  await sql`create role ${sql(role)} login`;
  onTestFinished(async () => {
    await sql`drop owned by ${sql(role)}`;
    await sql`drop role ${sql(role)}`;
  });
  await grantToRuntime(sql, role);
  return role;
}

async function urlOf(address: Address): Promise<string> {
  const { address: near } = await relayTo(address);
  return "url" in near ? near.url : "";
}

function as(url: string, role: string): string {
  const address = new URL(url);
  address.username = role;
  return address.toString();
}

/** Writes and reads by four clients until it is ended. Answers what failed, and what was acknowledged. */
function load(url: string) {
  const client = httpClient(url, KEY);
  const failures: string[] = [];
  const stored: string[] = [];
  let isOver = false;
  const clients = Array.from({ length: 4 }, async (_, writer) => {
    for (let at = 0; !isOver; at += 1) {
      const body = { content: `Client ${writer} wrote line ${at}.`, path: "load" };
      const said = await client.post("/v1/remember", body).catch((error) => ({ status: 0, body: error }));
      if (said.status !== 201) failures.push(`remember: ${said.status} ${JSON.stringify(said.body)}`);
      else stored.push(said.body.id);
      const read = await client
        .get(`/v1/memories/${stored.at(-1)}`)
        .catch((error) => ({ status: 0, body: error }));
      if (read.status !== 200) failures.push(`get: ${read.status} ${JSON.stringify(read.body)}`);
    }
  });
  const end = async () => {
    isOver = true;
    await Promise.all(clients);
  };
  onTestFinished(end);
  return { failures, stored, end };
}

/** On a machine that has much else to do, to start a program takes longer than a minute. */
const PATIENCE = { withinMs: 180_000 };

const more = (stored: readonly string[], count: number) => {
  const until = stored.length + count;
  return eventually("writes", () => (stored.length >= until ? true : undefined), PATIENCE);
};

async function migrateBy(checkout: string, env: Record<string, string>, args: string[]) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, ["bin/recollect.js", "migrate", ...args], {
    cwd: checkout,
    env: { PATH, HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { output: () => output, code };
}

interface Running {
  readonly server: ServerProcess;
  readonly url: string;
}

async function joined(server: ServerProcess, balancer: Balancer): Promise<Running> {
  const url = await server.ready();
  balancer.add(url);
  await eventually("the balancer to choose it", () => (balancer.answered(url) > 0 ? true : undefined));
  return { server, url };
}

test("three servers are replaced under load, with a migration in between and a dump open, and no request fails", async () => {
  const database = await ownDatabase();
  const sql = connect(database, 2);
  onTestFinished(() => sql.end({ timeout: 1 }));
  const role = await roleWithout(sql);
  const url = await urlOf(database);
  const env = {
    ...{ DATABASE_URL: as(url, role), BOOTSTRAP_API_KEY: KEY, DATABASE_CONNECTIONS: "6" },
    ...{ MIGRATE_ON_START: "off", DRAIN_SECONDS: "3" },
  };
  const balancer = await startBalancer();
  const checkout = nextVersion();
  const homes: Record<"old" | "next", Home> = {
    old: await home({ fresh: true, embedded: true }),
    next: await home({ fresh: true, embedded: true, checkout }),
  };
  const old: Running[] = [];
  const servers = runtimes.map((runtime) => homes.old.start(runtime, env));
  for (const server of servers) {
    const running = { server, url: await server.ready() };
    balancer.add(running.url);
    old.push(running);
  }
  await eventually("the servers to be ready", async () =>
    (await fetch(`${balancer.url}/readyz`)).ok ? true : undefined,
  );
  const { failures, stored, end } = load(balancer.url);
  await more(stored, 100);

  // A server of the next version comes too early: it waits, and no request reaches it.
  const early = homes.next.start("node", env);
  await eventually(
    "it to wait for the schema",
    () => (early.stderr().includes("run `recollect migrate`") ? true : undefined),
    PATIENCE,
  );

  const dump = connect(database, 1);
  onTestFinished(() => dump.end({ timeout: 1 }));
  await dump.unsafe("begin isolation level repeatable read read only; select count(*) from memories");
  const migrating = await migrateBy(checkout, { DATABASE_URL: url }, ["--grant-to", role]);
  await eventually(
    "the migration to wait for the dump",
    () => (migrating.output().includes("waits for a lock") ? true : undefined),
    PATIENCE,
  );
  await more(stored, 100);
  await dump.unsafe("commit");
  expect({ code: await migrating.code, output: migrating.output() }).toMatchObject({ code: 0 });
  await more(stored, 100);

  const next = [await joined(early, balancer)];
  for (const [at, { server, url: address }] of old.entries()) {
    if (at > 0)
      next.push(await joined(homes.next.start(runtimes[at] as (typeof runtimes)[number], env), balancer));
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    balancer.remove(address);
    await more(stored, 50);
  }
  // One step back: the version before, on the schema of the next.
  const back = await joined(homes.old.start("bun", env), balancer);
  await more(stored, 50);
  await end();
  expect(failures).toEqual([]);
  expect(balancer.answered(back.url)).toBeGreaterThan(0);
  expect(stored.length).toBeGreaterThan(400);
  const kept =
    await sql`select count(*)::int as count from memories where memory_id = any(${[...new Set(stored)]})`;
  expect(kept[0]?.count).toBe(new Set(stored).size);
  const [grey] = await sql`select count(*)::int as count from memories where shade = 'grey'`;
  expect(grey?.count).toBeGreaterThanOrEqual(100);
}, 600_000);
