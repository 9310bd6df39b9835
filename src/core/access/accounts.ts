import type { Credential, Owner } from "./credential.ts";

/** A person's sign-in account, linked to the user that owns memories. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly owner: Owner;
}

/** A person who has just signed in, and the `Set-Cookie` values that keep them signed in. */
export interface SignedIn {
  readonly account: Account;
  readonly cookies: readonly string[];
}

/** Somebody who is signed in, with what the session may do: everything that its user may. */
export interface SessionCaller {
  readonly account: Account;
  readonly sessionId: string;
  readonly credential: Credential;
}

/** A browser in which an account is signed in. */
export interface Session {
  readonly id: string;
  readonly startedAt: number;
  /** It ends then, used or not. */
  readonly expiresAt: number;
}

/** Why a sign-in was refused. A wrong password and an unknown address are the same. */
export type SignInRefusal =
  | { readonly refused: "wrong_credentials" }
  | { readonly refused: "too_many_attempts"; readonly retryAfterSeconds: number };

export type InvitationRefusal = {
  readonly refused: "invitation_gone" | "email_taken" | "invalid_email" | "weak_password";
};

/** Facts about the request besides its cookies. */
export interface SignInRequest {
  readonly headers: Headers;
  /** The client's network address, for the limits on guessing. */
  readonly address: string | null;
}

/** People's sign-in accounts and their sessions. Accounts are made by invitation only. */
export interface Accounts {
  /** The account of the request's session cookie; null without a session that is valid now. */
  signedIn(headers: Headers): Promise<Account | null>;
  /**
   * The same with the credential that the account acts by: one for all of its sessions, in the record like every other,
   * so that what is done by it has a name. It is of use to nobody without a session, and whoever revokes it ends them all.
   */
  session(headers: Headers): Promise<SessionCaller | null>;
  /** The account's sessions, newest first. */
  sessions(account: Account): Promise<Session[]>;
  /** Ends one of the account's sessions. False where there is none of that id. */
  endSession(account: Account, sessionId: string): Promise<boolean>;
  /** Limited per account and per address, over all replicas. */
  signIn(request: SignInRequest, email: string, password: string): Promise<SignedIn | SignInRefusal>;
  /** Ends the session. Answers the `Set-Cookie` values that clear it. */
  signOut(headers: Headers): Promise<readonly string[]>;
  /**
   * A one-time secret, valid for 24 hours, with which a person makes the account of this user. `conflict` where the
   * owner is no user, or has an account.
   */
  invite(owner: Owner): Promise<{ secret: string; expiresAt: number }>;
  /**
   * Ends the account of this user: password, sessions, invitations, and the clients it let in. What the user owns stays,
   * and an invitation makes another account for it. False where there is none.
   */
  revoke(owner: Owner): Promise<boolean>;
  /** The user an invitation is for; null where it is unknown, used or expired. */
  invitation(secret: string): Promise<{ owner: Owner; expiresAt: number } | null>;
  /**
   * Makes the account and signs it in. The invitation is used up by success only. `rate_limited` after too many tries
   * from an address.
   */
  accept(
    secret: string,
    request: SignInRequest,
    account: { email: string; password: string },
  ): Promise<SignedIn | InvitationRefusal>;
}

/** A password's length, in characters. */
export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 128;
