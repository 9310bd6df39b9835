import type { AnySql } from "./database.ts";

/**
 * Forgets clients that came long ago and were never let in, so that strangers cannot fill the database. One that is
 * known by its document is met anew; one that registered must register again.
 */
export async function deleteUnusedClients(sql: AnySql): Promise<void> {
  await sql`
    delete from auth."oauthClient" c where c."createdAt" < now() - interval '30 days'
      and not exists (select from tokens t where t.client_id = c."clientId")`;
}
