import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import type { AnySql, Sql } from "./client.ts";

/** Returns a secret of the service. It is created at its first use, and is the same for every replica. */
export async function secret(sql: AnySql, name: string): Promise<Buffer> {
  await sql`insert into service_secrets (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`;
  const [row] = await sql`select value from service_secrets where name = ${name}`;
  return Buffer.from(row?.value as Uint8Array);
}

/**
 * An identifier of this database that a copy of it does not share. A copy on another Postgres, or under another name,
 * must neither write nor remove the indexes of the original.
 */
export async function databaseIdentity(sql: Sql): Promise<string> {
  const [row] = await sql`
    select (select system_identifier from pg_control_system())::text as server, current_database() as name`;
  const hash = createHash("sha256").update(await secret(sql, "database"));
  return hash.update(`${row?.server}/${row?.name}`).digest("hex").slice(0, 32);
}
