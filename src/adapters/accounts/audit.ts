import type { AnySql } from "./database.ts";

export type AccountEvent =
  | "sign_in"
  | "sign_in_refused"
  | "sign_out"
  | "invite"
  | "account_created"
  | "account_revoked"
  | "oauth_consent"
  | "oauth_revoke";

/** One line of the audit log. It holds no address, no password and no token. */
export async function audit(
  sql: AnySql,
  operation: AccountEvent,
  ownerId: string,
  tokenId: string | null = null,
): Promise<void> {
  await sql`insert into audit_log (owner_id, operation, token_id) values (${ownerId}, ${operation}, ${tokenId})`;
}
