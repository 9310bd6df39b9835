import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject, onTestFinished } from "vitest";
import type { Address } from "../../src/adapters/postgres/database/client.ts";
import { addressOf, TEMPLATE } from "./database-address.ts";

/** The address of a new database on the run's Postgres, migrated or empty. It goes with the test. */
export async function ownDatabase(options: { empty?: boolean } = {}): Promise<Address> {
  const { address, drop } = await createDatabase(options);
  onTestFinished(drop);
  return address;
}

/** The same, to be dropped by whoever made it. */
export async function createDatabase({ empty = false } = {}) {
  const name = `recollect_test_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name} template ${empty ? "template0" : TEMPLATE}`);
  return {
    address: addressOf(inject("databaseServer"), name),
    drop: () => administer(`drop database ${name} with (force)`),
  };
}

async function administer(statement: string): Promise<void> {
  const server = inject("databaseServer");
  const home = server.kind === "socket" ? server.database : new URL(server.url).pathname.slice(1);
  const address = addressOf(server, home);
  const options = { max: 1, onnotice: () => {} };
  const sql = "url" in address ? postgres(address.url, options) : postgres({ ...address, ...options });
  await sql.unsafe(statement).finally(() => sql.end());
}
