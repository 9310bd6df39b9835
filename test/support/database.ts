import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { addressOf, type Server } from "./database-address.ts";
import { partitionByOwner } from "./partitioned.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: Server;
    /** The migrated database that tests copy. */
    templateDatabase: string;
    /** A folder for what test files share; it goes with the run. */
    sharedFolder: string;
  }
}

/**
 * One Postgres for the whole run, with a migrated template that each test file copies: the embedded one, or the one
 * that `TEST_DATABASE_URL` names (a superuser's URL; databases named `recollect_test_*` are made and dropped there).
 * With `TEST_PARTITIONED=1` the template's tables are partitions by owner.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  const folder = await mkdtemp(join(await quickestFolder(), "recollect-test-"));
  // Whatever ends the run: what was left in memory would stay there.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const embedded = url
    ? null
    : await openEmbeddedPostgres({ dataDir: join(folder, "data"), log: () => {}, role: "server" });
  const server: Server = embedded
    ? {
        kind: "socket",
        path: embedded.connection.path,
        username: embedded.connection.username,
        database: embedded.connection.database,
      }
    : { kind: "url", url: url as string };
  // A run's own, so that several may use one server, each with the migrations of its own checkout.
  const template = `recollect_test_template_${randomBytes(6).toString("hex")}`;
  await makeTemplate(server, template);
  project.provide("databaseServer", server);
  project.provide("templateDatabase", template);
  project.provide("sharedFolder", folder);
  return async () => {
    if (embedded === null) await dropTemplate(server, template);
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** What the database of a run takes at most, its log of up to 1 GB included. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Memory where the machine has a folder in it with room: no test asks what of this database outlives the machine. */
async function quickestFolder(): Promise<string> {
  const inMemory = "/dev/shm";
  const room = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(room, freemem()) > ROOM_BYTES ? inMemory : tmpdir();
}

async function makeTemplate(server: Server, template: string): Promise<void> {
  const admin = postgres({ ...options(server), max: 1, onnotice: () => {} });
  if (server.kind === "socket") {
    // Half of a run's work was to compress what the log keeps of each new database, and to wait for the disk.
    await admin.unsafe(`alter role ${server.username} set wal_compression = off`);
    await admin.unsafe(`alter role ${server.username} set synchronous_commit = off`);
  }
  await admin.unsafe(`create database ${template}`);
  await admin.end();
  const sql = connect(addressOf(server, template), 2);
  await migrate(sql);
  if (process.env.TEST_PARTITIONED === "1") await partitionByOwner(sql);
  await sql.end();
}

async function dropTemplate(server: Server, template: string): Promise<void> {
  const admin = postgres({ ...options(server), max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database if exists ${template} with (force)`);
  await admin.end();
}

function options(server: Server) {
  if (server.kind === "socket")
    return { path: server.path, username: server.username, database: server.database };
  const url = new URL(server.url);
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  };
}
