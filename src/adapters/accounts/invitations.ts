import type { Buffer } from "node:buffer";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Account } from "../../core/access/accounts.ts";
import type { Owner } from "../../core/access/credential.ts";
import { DomainError } from "../../core/error.ts";
import { accountOf, ownerIn } from "./account-row.ts";
import { audit } from "./audit.ts";
import type { AnySql, Sql } from "./database.ts";

const SECRET_BYTES = 32;
const VALID_MS = 24 * 3600 * 1000;

export async function invite(sql: Sql, owner: Owner): Promise<{ secret: string; expiresAt: number }> {
  if (owner.kind !== "user") throw new DomainError("conflict", "Only a user can have a sign-in account.");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const expiresAt = Date.now() + VALID_MS;
  await sql.begin(async (transaction) => {
    const [taken] = await transaction`select 1 from auth.sign_ins where owner_id = ${owner.id}`;
    if (taken) throw new DomainError("conflict", "This user has a sign-in account already.");
    await transaction`
      insert into auth.invitations (hash, owner_id, expires_at)
      values (${hashOf(secret)}, ${owner.id}, ${new Date(expiresAt)})`;
    await audit(transaction, "invite", owner.id);
  });
  return { secret, expiresAt };
}

/** The invitation of that secret while it is good; in a transaction with `lock`, so that it is used once. */
export async function findInvitation(
  sql: AnySql,
  secret: string,
  { lock = false } = {},
): Promise<{ owner: Owner; expiresAt: number } | null> {
  const [row] = await sql`
    select i.expires_at, o.id as owner_id, o.kind as owner_kind, o.name as owner_name
    from auth.invitations i join owners o on o.id = i.owner_id
    where i.hash = ${hashOf(secret)} and i.used_at is null and i.expires_at > now()
      and not exists (select from auth.sign_ins s where s.owner_id = i.owner_id)
    ${lock ? sql`for update of i` : sql``}`;
  return row ? { owner: ownerIn(row), expiresAt: (row.expires_at as Date).getTime() } : null;
}

/**
 * Makes the account of an invitation in one transaction: of two at once one gets it. better-auth's own writes cannot
 * be part of a transaction of ours, so its two rows are written here.
 */
export async function makeAccount(
  sql: Sql,
  secret: string,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<Account | "invitation_gone" | "email_taken"> {
  return sql.begin(async (transaction) => {
    const invitation = await findInvitation(transaction, secret, { lock: true });
    if (!invitation) return "invitation_gone";
    const userId = randomUUID();
    const { owner } = invitation;
    const [user] = await transaction`
      insert into auth."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      values (${userId}, ${owner.name}, ${email}, false, now(), now()) on conflict (email) do nothing returning id`;
    if (!user) return "email_taken";
    await transaction`
      insert into auth.account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
      values (${randomUUID()}, ${userId}, 'credential', ${userId}, ${passwordHash}, now(), now())`;
    // Another invitation of the same owner may have been accepted since the check: then there is an account.
    const [link] = await transaction`
      insert into auth.sign_ins (user_id, owner_id) values (${userId}, ${owner.id})
      on conflict do nothing returning user_id`;
    if (!link) throw new DomainError("conflict", "This user has a sign-in account already.");
    // One is enough: what else invites to this account is of no more use.
    await transaction`
      update auth.invitations set used_at = now() where owner_id = ${owner.id} and used_at is null`;
    await audit(transaction, "account_created", owner.id);
    return (await accountOf(transaction, userId)) as Account;
  });
}

export async function sweepInvitations(sql: Sql): Promise<void> {
  await sql`delete from auth.invitations where expires_at < now() - interval '30 days'`;
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
