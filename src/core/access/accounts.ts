import type { Credential, Owner } from "./credential.ts";

/** A person's sign-in account, linked to the user that owns memories. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly owner: Owner;
}

/** A person who has just signed in, with the `Set-Cookie` values of the session. */
export interface SignedIn {
  readonly account: Account;
  readonly cookies: readonly string[];
}

/** A signed-in person, with the credential of the session, which may do everything that its user may. */
export interface SessionCaller {
  readonly account: Account;
  readonly sessionId: string;
  readonly credential: Credential;
}

/** A browser in which an account is signed in. */
export interface Session {
  readonly id: string;
  readonly startedAt: number;
  /** When it ends, even if it is in use. */
  readonly expiresAt: number;
}

/** Why a sign-in was refused. A wrong password and an unknown address are not distinguished. */
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
  /** Returns the account of the request's session cookie; null without a valid session. */
  signedIn(headers: Headers): Promise<Account | null>;
  /**
   * The same with the account's credential. All of its sessions share one, stored like any other credential so that
   * actions can be attributed to it. It cannot be used without a session; revoking it ends all of them.
   */
  session(headers: Headers): Promise<SessionCaller | null>;
  /** The account's sessions, newest first. */
  sessions(account: Account): Promise<Session[]>;
  /** Ends one of the account's sessions. Returns false if there is none with that id. */
  endSession(account: Account, sessionId: string): Promise<boolean>;
  /** Attempts are limited per account and per address, over all replicas. */
  signIn(request: SignInRequest, email: string, password: string): Promise<SignedIn | SignInRefusal>;
  /** Ends the session. Returns the `Set-Cookie` values that clear it. */
  signOut(headers: Headers): Promise<readonly string[]>;
  /**
   * Returns a one-time secret, valid for 24 hours, with which a person creates the account of this user. Rejects with
   * `conflict` if the owner is not a user, or already has an account.
   */
  invite(owner: Owner): Promise<{ secret: string; expiresAt: number }>;
  /**
   * Deletes the account of this user: password, sessions, invitations and OAuth grants. What the user owns stays, and a
   * new invitation can create another account. Returns false if there is none.
   */
  revoke(owner: Owner): Promise<boolean>;
  /** Returns the user of an invitation; null if it is unknown, used or expired. */
  invitation(secret: string): Promise<{ owner: Owner; expiresAt: number } | null>;
  /**
   * Creates the account and signs it in. Only success uses up the invitation. Rejects with `rate_limited` after too
   * many attempts from an address.
   */
  accept(
    secret: string,
    request: SignInRequest,
    account: { email: string; password: string },
  ): Promise<SignedIn | InvitationRefusal>;
}

/** Bounds of a password's length, in characters. */
export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 128;
