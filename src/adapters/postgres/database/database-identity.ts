import { createHash } from "node:crypto";
import type { Sql } from "./client.ts";
import { secret } from "./service-secret.ts";

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
