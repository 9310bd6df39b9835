import type { Sql } from "./client.ts";

/** Schemas of the tables: the service's own, and those of sign-in and OAuth. */
const OWN_SCHEMA = "public";
const ACCOUNTS_SCHEMA = "auth";
/** Tables that only the migrator writes. */
const MIGRATORS = ["migrations", "migration_steps"];

/**
 * Grants a role what a server needs on all current tables, and nothing more: it can read and write rows, but can
 * neither change the schema nor record a migration. Grant it again after each migration. Rejects if there is no such
 * role, or if the current user does not own the schema.
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
