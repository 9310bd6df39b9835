import type { Sql } from "../database/client.ts";

/**
 * Deletes expired rows of sign-ins and OAuth. Anyone can create such rows, even on a service to which no one ever signs
 * in.
 */
export async function sweepSignIns(sql: Sql): Promise<void> {
  await sql`delete from auth.attempts where window_start < now() - interval '1 day'`;
  await sql`delete from auth.invitations where expires_at < now() - interval '30 days'`;
  await sql`delete from auth.session where "expiresAt" < now()`;
  await sql`delete from auth.verification where "expiresAt" < now() - interval '1 day'`;
  await sql`delete from auth."oauthAccessToken" where "expiresAt" < now() - interval '1 day'`;
  await sql`delete from auth."oauthRefreshToken" where "expiresAt" < now() - interval '1 day'`;
  await sql`delete from auth."oauthClientAssertion" where "expiresAt" < now() - interval '1 day'`;
}
