/** People's accounts: invitations, sign-in and sign-out, and deletion. */
import type { Buffer } from "node:buffer";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import {
  type Account,
  type Accounts,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  type SignedIn,
  type SignInRefusal,
  type SignInRequest,
} from "../../core/access/accounts.ts";
import type { Owner } from "../../core/access/credential.ts";
import { DomainError } from "../../core/error.ts";
import {
  ACCEPTS_PER_ADDRESS,
  type Attempts,
  SIGN_INS_PER_ACCOUNT,
  SIGN_INS_PER_ADDRESS,
} from "./attempts.ts";
import { type Auth, cookiesOf, sessionOf } from "./auth.ts";
import { type AnySql, accountOf, audit, ownerIn, type Sql } from "./database.ts";
import { deleteUnusedClients } from "./grants.ts";
import { credentialOf, endSession, sessionsOf } from "./sessions.ts";

interface AccountsDependencies {
  readonly sql: Sql;
  readonly auth: () => Promise<Auth>;
  readonly attempts: Attempts;
}

/** Part of the name of better-auth's cookie. Without it, nothing needs to be loaded or queried. */
const SESSION_COOKIE = "session_token";

const INVITATION_SECRET_BYTES = 32;
const INVITATION_MS = 24 * 3600 * 1000;

/** Normalised as stored and compared. */
const emailAddress = z.email().max(254).toLowerCase();

export function createAccounts({ sql, auth, attempts }: AccountsDependencies): Accounts {
  const sessionIn = async (headers: Headers) => {
    if (!headers.get("cookie")?.includes(SESSION_COOKIE)) return null;
    const session = await sessionOf({ auth: await auth(), sql }, headers);
    const account = session && (await accountOf(sql, session.user.id));
    return session && account ? { account, sessionId: session.session.id } : null;
  };
  const signedIn = async (headers: Headers): Promise<Account | null> =>
    (await sessionIn(headers))?.account ?? null;

  return {
    signedIn,
    async session(headers) {
      const found = await sessionIn(headers);
      return found && { ...found, credential: await credentialOf(sql, found.account) };
    },
    sessions: (account) => sessionsOf(sql, account),
    endSession: (account, sessionId) => endSession(sql, account, sessionId),
    invite: (owner) => invite(sql, owner),
    revoke: (owner) => revokeAccount(sql, owner),
    invitation: (secret) => findInvitation(sql, secret),

    async signIn(request, email, password) {
      const name = email.trim().toLowerCase();
      const limited = await limitSignIn(attempts, request, name);
      if (limited) return limited;
      const outcome = await newSession(await auth(), name, password);
      const account = outcome && (await accountOf(sql, outcome.userId));
      if (!outcome || !account) {
        await auditFailure(sql, name);
        return { refused: "wrong_credentials" };
      }
      await attempts.clear(SIGN_INS_PER_ACCOUNT, name);
      await audit(sql, "sign_in", account.owner.id);
      await deleteUnusedClients(sql);
      return { account, cookies: outcome.cookies };
    },

    async signOut(headers) {
      const account = await signedIn(headers);
      const answer = await (await auth()).api.signOut({ headers: cookiesOf(headers), returnHeaders: true });
      if (account) await audit(sql, "sign_out", account.owner.id);
      return answer.headers.getSetCookie();
    },

    async accept(secret, request, { email, password }) {
      const address = emailAddress.safeParse(email.trim());
      if (!address.success) return { refused: "invalid_email" };
      if (password.length < PASSWORD_CHARACTERS_MIN || password.length > PASSWORD_CHARACTERS_MAX)
        return { refused: "weak_password" };
      // Checked before the password is hashed, which is expensive: only the holder of an invitation may cause that.
      if (!(await findInvitation(sql, secret))) return { refused: "invitation_gone" };
      await limitAccept(attempts, request);
      const better = await auth();
      const passwordHash = await (await better.$context).password.hash(password);
      const made = await makeAccount(sql, secret, { email: address.data, passwordHash });
      if (typeof made === "string") return { refused: made };
      return firstSession(better, made, password);
    },
  };
}

/** Counted before the password is checked, so that concurrent requests cannot bypass the limit. */
async function limitSignIn(
  attempts: Attempts,
  { address }: SignInRequest,
  name: string,
): Promise<SignInRefusal | null> {
  const counted =
    (address === null ? null : await attempts.count(SIGN_INS_PER_ADDRESS, address)) ??
    (await attempts.count(SIGN_INS_PER_ACCOUNT, name));
  return counted && { refused: "too_many_attempts", ...counted };
}

async function limitAccept(attempts: Attempts, { address }: SignInRequest): Promise<void> {
  const counted = address === null ? null : await attempts.count(ACCEPTS_PER_ADDRESS, address);
  if (counted)
    throw new DomainError("rate_limited", "Too many attempts. Wait a few minutes, then try again.", counted);
}

/**
 * Returns null for both an unknown address and a wrong password. better-auth hashes in both cases, so that they take
 * equally long.
 */
async function newSession(
  auth: Auth,
  email: string,
  password: string,
): Promise<{ userId: string; cookies: string[] } | null> {
  try {
    const answer = await auth.api.signInEmail({ body: { email, password }, returnHeaders: true });
    return { userId: answer.response.user.id, cookies: answer.headers.getSetCookie() };
  } catch (error) {
    const { status } = error as { status?: unknown };
    if (status === "UNAUTHORIZED" || status === "BAD_REQUEST") return null;
    throw error;
  }
}

async function firstSession(auth: Auth, account: Account, password: string): Promise<SignedIn> {
  const session = await newSession(auth, account.email, password);
  if (!session) throw new Error("An account that was just made could not be signed in to.");
  return { account, cookies: session.cookies };
}

/** Writes an audit line only if the account exists, and without the e-mail address. */
async function auditFailure(sql: Sql, email: string): Promise<void> {
  await sql`
    insert into audit_log (owner_id, operation)
    select s.owner_id, 'sign_in_refused' from auth."user" u join auth.sign_ins s on s.user_id = u.id
    where u.email = ${email}`;
}

async function invite(sql: Sql, owner: Owner): Promise<{ secret: string; expiresAt: number }> {
  if (owner.kind !== "user")
    throw new DomainError("conflict", "Only a user can have a sign-in account; this is a team.");
  const secret = randomBytes(INVITATION_SECRET_BYTES).toString("base64url");
  const expiresAt = Date.now() + INVITATION_MS;
  await sql.begin(async (transaction) => {
    const [taken] = await transaction`select 1 from auth.sign_ins where owner_id = ${owner.id}`;
    if (taken)
      throw new DomainError("conflict", "This user already has a sign-in account: sign in with that one.");
    await transaction`
      insert into auth.invitations (hash, owner_id, expires_at)
      values (${hashOf(secret)}, ${owner.id}, ${new Date(expiresAt)})`;
    await audit(transaction, "invite", owner.id);
  });
  return { secret, expiresAt };
}

/** Returns the valid invitation of a secret. `lock`, within a transaction, ensures that it is used only once. */
async function findInvitation(
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
 * Creates the account of an invitation in one transaction, so that only one of two concurrent requests succeeds.
 * better-auth's own writes cannot join our transaction, so its two rows are written here.
 */
async function makeAccount(
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
    // Another invitation of the same owner may have been accepted since the check.
    const [link] = await transaction`
      insert into auth.sign_ins (user_id, owner_id) values (${userId}, ${owner.id})
      on conflict do nothing returning user_id`;
    if (!link)
      throw new DomainError("conflict", "This user already has a sign-in account: sign in with that one.");
    // All other invitations to this account end too.
    await transaction`
      update auth.invitations set used_at = now() where owner_id = ${owner.id} and used_at is null`;
    await audit(transaction, "account_created", owner.id);
    return (await accountOf(transaction, userId)) as Account;
  });
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Deletes a user's account in one transaction. Its sessions, password, grants and refresh tokens go with its row. */
async function revokeAccount(sql: Sql, owner: Owner): Promise<boolean> {
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
