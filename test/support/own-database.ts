import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject, onTestFinished } from "vitest";
import type { Address } from "../../src/adapters/postgres/database/client.ts";
import { addressOf } from "./database-address.ts";

/** The address of a new database on the run's Postgres, migrated or empty. It goes with the test. */
export async function ownDatabase(options: { empty?: boolean } = {}): Promise<Address> {
  const { address, drop } = await createDatabase(options);
  onTestFinished(drop);
  return address;
}

/** The same, to be dropped by whoever made it. */
export async function createDatabase({ empty = false } = {}) {
  const name = `recollect_test_${randomBytes(6).toString("hex")}`;
  // Copied as files, which takes half the work of writing each page to the log first.
  const template = empty ? "template0" : inject("templateDatabase");
  await administer(`create database ${name} template ${template} strategy file_copy`);
  return {
    address: addressOf(inject("databaseServer"), name),
    drop: () => administer(`drop database ${name} with (force)`),
  };
}

async function administer(statement: string): Promise<void> {
  await administrator().unsafe(statement);
}

let connection: postgres.Sql | undefined;

/** One connection for all files of a process: half of what a database costs was to connect twice for it. */
function administrator(): postgres.Sql {
  const server = inject("databaseServer");
  const home = server.kind === "socket" ? server.database : new URL(server.url).pathname.slice(1);
  const address = addressOf(server, home);
  // It closes by itself, so that it does not keep the process.
  const options = { max: 1, idle_timeout: 1, onnotice: () => {} };
  connection ??= "url" in address ? postgres(address.url, options) : postgres({ ...address, ...options });
  return connection;
}
