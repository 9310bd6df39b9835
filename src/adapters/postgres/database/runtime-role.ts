import type { Sql } from "./client.ts";

/** Schemas of the tables: the service's own, and those of sign-in and OAuth. */
const OWN_SCHEMA = "public";
const ACCOUNTS_SCHEMA = "auth";
/** Tables that only the migrator writes. */
const MIGRATORS = ["migrations", "migration_steps"];

/**
 * Gives a role what a server needs, on everything that there is now, and nothing more: it reads and writes rows, and can
 * neither change the schema nor say that it was changed. To be given again after each migration. Rejects where there is
 * no such role, or whoever asks does not own the schema.
 */
export async function grantToRuntime(sql: Sql, role: string): Promise<void> {
  await requireRole(sql, role);
  await sql.begin(async (tx) => {
    for (const schema of [OWN_SCHEMA, ACCOUNTS_SCHEMA]) {
      await tx`grant usage on schema ${tx(schema)} to ${tx(role)}`;
      await tx`grant select, insert, update, delete on all tables in schema ${tx(schema)} to ${tx(role)}`;
      await tx`grant usage, select on all sequences in schema ${tx(schema)} to ${tx(role)}`;
      await tx`grant execute on all functions in schema ${tx(schema)} to ${tx(role)}`;
    }
    for (const table of MIGRATORS) await tx`revoke insert, update, delete on ${tx(table)} from ${tx(role)}`;
  });
}

async function requireRole(sql: Sql, role: string): Promise<void> {
  const [row] = await sql`select from pg_roles where rolname = ${role}`;
  if (row !== undefined) return;
  throw new Error(
    `There is no database role named ${role}. Create it first: \`create role ${role} login password '...'\`.`,
  );
}
