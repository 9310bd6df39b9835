import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { AnySql } from "./client.ts";

/** A secret of the service's own, made at its first use and the same for every replica. */
export async function secret(sql: AnySql, name: string): Promise<Buffer> {
  await sql`insert into service_secrets (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`;
  const [row] = await sql`select value from service_secrets where name = ${name}`;
  return Buffer.from(row?.value as Uint8Array);
}
