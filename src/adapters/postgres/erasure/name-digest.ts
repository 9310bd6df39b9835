import type { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { ErasedOwner } from "../../../core/access/erasure.ts";
import type { AnySql } from "../database/client.ts";
import { secret } from "../database/service-secret.ts";

/** Keyed digest of a name. It recognises the same name again, but does not reveal it. */
export async function digestOf(sql: AnySql, { kind, name, applicationId }: ErasedOwner): Promise<Buffer> {
  const named = applicationId === undefined ? [kind, name] : [kind, applicationId, name];
  return createHmac("sha256", await secret(sql, "receipts"))
    .update(JSON.stringify(named))
    .digest();
}

/** True while an owner of that name is being erased. */
export async function isBeingErased(sql: AnySql, owner: ErasedOwner): Promise<boolean> {
  const [row] = await sql`
    select from erasures
    where kind = ${owner.kind} and name_digest = ${await digestOf(sql, owner)} and finished_at is null`;
  return row !== undefined;
}
