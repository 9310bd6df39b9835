import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import type { AnySql, Sql } from "./client.ts";

/** A secret of the service's own, made at its first use and the same for every replica. */
export async function secret(sql: AnySql, name: string): Promise<Buffer> {
  await sql`insert into service_secrets (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`;
  const [row] = await sql`select value from service_secrets where name = ${name}`;
  return Buffer.from(row?.value as Uint8Array);
}

/**
 * A name of this database that a copy of it does not share: a copy on another Postgres, or under another name, must
 * neither write nor remove the indexes of the one it was made from.
 */
export async function databaseIdentity(sql: Sql): Promise<string> {
  const [row] = await sql`
    select (select system_identifier from pg_control_system())::text as server, current_database() as name`;
  const hash = createHash("sha256").update(await secret(sql, "database"));
  return hash.update(`${row?.server}/${row?.name}`).digest("hex").slice(0, 32);
}
