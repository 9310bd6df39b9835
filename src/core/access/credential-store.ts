import type { Scope } from "../../contract/scope.ts";
import type { ToolSet } from "../../contract/tool-set.ts";
import type { Credential, Owner, TokenKind, TokenSpace } from "./credential.ts";

/** A credential as operators see it: everything but the secret, which is not stored. */
export interface ListedCredential extends Credential {
  readonly name: string | null;
  /** The first characters of the secret, to recognise it by. */
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Accurate to the minute; null if unused. */
  readonly lastUsedAt: number | null;
}

export interface NewCredential {
  readonly kind: TokenKind;
  readonly ownerId: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly space: TokenSpace;
  readonly expiresAt: number | null;
  /** See `Credential.toolSet`. Default: null. */
  readonly toolSet?: ToolSet | null;
  /** The agent that it is bound to. Default: none. */
  readonly agentId?: string | null;
  /**
   * The credential that it was requested with: the audit log names it, and its revocation revokes this one too, unless it
   * is a session's. Default: none; the audit log names the new one.
   */
  readonly issuedBy?: string;
}

export interface IssuedCredential {
  readonly credential: ListedCredential;
  readonly secret: string;
}

/** Options of a key rotation. */
export interface Rotation {
  /** How long the old key stays valid at most, counted from its first rotation. */
  readonly overlapMs: number;
  /** When the new key ends. Default: when the old one would have. A key cannot be used to prolong itself. */
  readonly expiresAt?: number | null;
  readonly requestId?: string | null;
}

/** The new key, and until when the old one is valid. */
export interface RotatedCredential extends IssuedCredential {
  readonly previousId: string;
  readonly previousValidUntil: number;
}

export interface KeyRotator {
  /**
   * Replaces a key, which stays valid for the overlap. Rejects with `not_found`, or with `conflict` if it cannot be
   * replaced. Can be repeated if the answer was lost: the first new key ends, unless it was used, and the old key's
   * deadline does not move.
   */
  rotate(tokenId: string, rotation: Rotation): Promise<RotatedCredential>;
}

/** Owners and their credentials. Secrets are random, shown once, and stored as a hash only. */
export interface CredentialStore extends KeyRotator {
  /** Returns the credential of a secret, or null. A revocation takes effect within a second on every replica. */
  authenticate(secret: string): Promise<Credential | null>;
  /** Clears the cache of credentials, after some have ended. */
  forgetCached(): void;
  /** Returns the owner of that kind and name, creating it if it is new. */
  ensureOwner(kind: Owner["kind"], name: string): Promise<Owner>;
  /** Rejects with `quota_exceeded` if the owner has as many valid credentials as it may; `issue` does the same. */
  requireRoom(ownerId: string): Promise<void>;
  issue(credential: NewCredential, requestId?: string): Promise<IssuedCredential>;
  /** Like `issue`, if no credential was ever issued; otherwise null. Of concurrent calls only one issues. */
  issueFirst(credential: NewCredential): Promise<IssuedCredential | null>;
  /** All credentials, including revoked ones, newest first. */
  list(): Promise<ListedCredential[]>;
  /** The newest 1,000 credentials of an owner, including revoked ones, newest first. */
  listOf(ownerId: string): Promise<ListedCredential[]>;
  /** Returns the credential with that id, even if it has ended; null if there is none. */
  find(tokenId: string): Promise<ListedCredential | null>;
  /**
   * Returns false if there is no such credential. Idempotent. Revoking an agent's own token also revokes the agent and
   * all its tokens.
   */
  revoke(tokenId: string): Promise<boolean>;
  /**
   * Makes the secret the only bootstrap key of the owner `local`, with every scope. A different secret replaces the
   * earlier one; a revoked secret stays revoked.
   */
  bootstrap(secret: string): Promise<void>;
  /** True if any credential was ever issued. */
  hasAny(): Promise<boolean>;
}

/**
 * The valid credentials that a user may manage: the user's own, including its agents', and those of teams in which it
 * is currently an owner or admin. Excludes sessions of accounts.
 */
export interface ManagedCredentials {
  /** The newest 1,000, newest first. */
  list(user: Owner): Promise<ListedCredential[]>;
  /** Returns null if the user may not manage the credential, and if it does not exist or has ended. */
  find(user: Owner, tokenId: string): Promise<ListedCredential | null>;
}
