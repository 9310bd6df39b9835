import { z } from "zod";
import type {
  Account,
  Accounts,
  SignedIn,
  SignInRefusal,
  SignInRequest,
} from "../../core/access/accounts.ts";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../../core/access/password.ts";
import { DomainError } from "../../core/error.ts";
import { accountOf } from "./account-row.ts";
import {
  ACCEPTS_PER_ADDRESS,
  type Attempts,
  SIGN_INS_PER_ACCOUNT,
  SIGN_INS_PER_ADDRESS,
} from "./attempts.ts";
import { audit } from "./audit.ts";
import type { Auth } from "./auth.ts";
import { deleteUnusedClients } from "./clients.ts";
import type { Sql } from "./database.ts";
import { findInvitation, invite, makeAccount, sweepInvitations } from "./invitations.ts";
import { revokeAccount } from "./revoke-account.ts";
import { cookiesOf, sessionOf } from "./session.ts";

export interface AccountsDependencies {
  readonly sql: Sql;
  readonly auth: () => Promise<Auth>;
  readonly attempts: Attempts;
}

/** Part of the name of better-auth's cookie: without it nothing needs to be loaded or asked. */
const SESSION_COOKIE = "session_token";

/** As it is stored and compared. */
const emailAddress = z.email().max(254).toLowerCase();

export function createAccounts({ sql, auth, attempts }: AccountsDependencies): Accounts {
  const signedIn = async (headers: Headers): Promise<Account | null> => {
    if (!headers.get("cookie")?.includes(SESSION_COOKIE)) return null;
    const session = await sessionOf({ auth: await auth(), sql }, headers);
    return session ? accountOf(sql, session.user.id) : null;
  };

  return {
    signedIn,
    invite: (owner) => invite(sql, owner),
    revoke: (owner) => revokeAccount(sql, owner),
    invitation: (secret) => findInvitation(sql, secret),

    async signIn(request, email, password) {
      const name = email.trim().toLowerCase();
      const limited = await tooMany(attempts, request, name);
      if (limited) return limited;
      const outcome = await newSession(await auth(), name, password);
      const account = outcome && (await accountOf(sql, outcome.userId));
      if (!outcome || !account) {
        await auditRefusal(sql, name);
        return { refused: "wrong_credentials" };
      }
      await attempts.clear(SIGN_INS_PER_ACCOUNT, name);
      await audit(sql, "sign_in", account.owner.id);
      await sweep(sql, attempts);
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
      // Before the password is hashed, which costs much: only who holds an invitation may ask for that.
      if (!(await findInvitation(sql, secret))) return { refused: "invitation_gone" };
      await countAccept(attempts, request);
      const better = await auth();
      const passwordHash = await (await better.$context).password.hash(password);
      const made = await makeAccount(sql, secret, { email: address.data, passwordHash });
      if (typeof made === "string") return { refused: made };
      return firstSession(better, made, password);
    },
  };
}

/** Counted before the password is looked at, so that many at once are no way around the limit. */
async function tooMany(
  attempts: Attempts,
  { address }: SignInRequest,
  name: string,
): Promise<SignInRefusal | null> {
  const counted =
    (address === null ? null : await attempts.count(SIGN_INS_PER_ADDRESS, address)) ??
    (await attempts.count(SIGN_INS_PER_ACCOUNT, name));
  return counted && { refused: "too_many_attempts", ...counted };
}

async function countAccept(attempts: Attempts, { address }: SignInRequest): Promise<void> {
  const counted = address === null ? null : await attempts.count(ACCEPTS_PER_ADDRESS, address);
  if (counted) throw new DomainError("rate_limited", "Too many attempts. Try again later.", counted);
}

/** null for an unknown address and a wrong password alike; better-auth hashes in both cases, so they take as long. */
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

/** A line only where there is such an account, and without the address that was tried. */
async function auditRefusal(sql: Sql, email: string): Promise<void> {
  await sql`
    insert into audit_log (owner_id, operation)
    select s.owner_id, 'sign_in_refused' from auth."user" u join auth.sign_ins s on s.user_id = u.id
    where u.email = ${email}`;
}

/** What has run out is deleted when somebody signs in, which is often enough and seldom enough. */
async function sweep(sql: Sql, attempts: Attempts): Promise<void> {
  await attempts.sweep();
  await sweepInvitations(sql);
  await deleteUnusedClients(sql);
  await sql`delete from auth.session where "expiresAt" < now()`;
  await sql`delete from auth.verification where "expiresAt" < now() - interval '1 day'`;
}
