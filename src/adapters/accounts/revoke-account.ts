import type { Owner } from "../../core/access/credential.ts";
import { audit } from "./audit.ts";
import type { Sql } from "./database.ts";

/** Deletes a user's account in one transaction. Its sessions, password, grants and refresh tokens go with its row. */
export async function revokeAccount(sql: Sql, owner: Owner): Promise<boolean> {
  return sql.begin(async (transaction) => {
    await transaction`delete from auth.invitations where owner_id = ${owner.id} and used_at is null`;
    const deleted = await transaction`
      delete from auth."user" u using auth.sign_ins s
      where s.user_id = u.id and s.owner_id = ${owner.id} returning u.id`;
    if (deleted.length === 0) return false;
    await audit(transaction, "account_revoked", owner.id);
    return true;
  });
}
