import type { Scope } from "../../contract/scope.ts";
import type { ToolSet } from "../../contract/tool-set.ts";
import type { Credential, Owner, TokenKind, TokenSpace } from "./credential.ts";

/** A credential as operators see it: everything but the secret, which is not kept. */
export interface ListedCredential extends Credential {
  readonly name: string | null;
  /** The first characters of the secret, to recognise it by. */
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** To the minute; null while unused. */
  readonly lastUsedAt: number | null;
}

export interface NewCredential {
  readonly kind: TokenKind;
  readonly ownerId: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly space: TokenSpace;
  readonly expiresAt: number | null;
  /** See `Credential.toolSet`; none unless given. */
  readonly toolSet?: ToolSet | null;
  /** The agent it is bound to; none unless given. */
  readonly agentId?: string | null;
}

export interface IssuedCredential {
  readonly credential: ListedCredential;
  readonly secret: string;
}

/** How a key is replaced. */
export interface Rotation {
  /** How long the former one stays valid at most, from the first rotation on. */
  readonly overlapMs: number;
  /** When the new one ends; with the former one's own end unless given. Nobody prolongs a key by its own secret. */
  readonly expiresAt?: number | null;
  readonly requestId?: string | null;
}

/** The key that took another's place, and until when that one is valid. */
export interface RotatedCredential extends IssuedCredential {
  readonly previousId: string;
  readonly previousValidUntil: number;
}

/** The keys that can be replaced, in the record. */
export interface KeyRotator {
  /**
   * Puts a new key in the place of this one, which stays valid for the overlap; `not_found`, or `conflict` where it has
   * no place to give. Again, for an answer that was lost: the first answer's key ends, unless it was used, and the
   * deadline of the former one does not move.
   */
  rotate(tokenId: string, rotation: Rotation): Promise<RotatedCredential>;
}

/** Owners and their credentials. Secrets are random, shown once, and stored as a hash only. */
export interface CredentialStore extends KeyRotator {
  /** The credential of that secret, or null. A revocation is obeyed within a second on every replica. */
  authenticate(secret: string): Promise<Credential | null>;
  /** Looks every credential up anew from here on: something has ended some of them. */
  forgetCached(): void;
  /** The owner of that kind and name, made if it is new. */
  ensureOwner(kind: Owner["kind"], name: string): Promise<Owner>;
  /** Rejects with `quota_exceeded` if the owner has as many valid credentials as it may; `issue` does the same. */
  requireRoom(ownerId: string): Promise<void>;
  issue(credential: NewCredential, requestId?: string): Promise<IssuedCredential>;
  /** The same where no credential was ever issued; null otherwise, and for all but one of those who ask at once. */
  issueFirst(credential: NewCredential): Promise<IssuedCredential | null>;
  /** All credentials, newest first, revoked ones too. */
  list(): Promise<ListedCredential[]>;
  /** The newest thousand of an owner, newest first, revoked ones too. */
  listOf(ownerId: string): Promise<ListedCredential[]>;
  /** The credential of that id, ended or not; null where there is none. */
  find(tokenId: string): Promise<ListedCredential | null>;
  /**
   * False where there is no such credential. Revoking twice changes nothing. A token that an agent lives by is revoked
   * with the agent and all its tokens.
   */
  revoke(tokenId: string): Promise<boolean>;
  /**
   * Makes the secret the one bootstrap key of the owner `local`, with every scope. Another secret than before replaces
   * the earlier one; a revoked one stays revoked.
   */
  bootstrap(secret: string): Promise<void>;
  /** True where any credential was ever issued. */
  hasAny(): Promise<boolean>;
}

/**
 * The credentials that are a user's to manage and are valid now: its own, its agents' among them, and those of the teams
 * whose owner or admin it is at this moment. Not the sessions of accounts.
 */
export interface ManagedCredentials {
  /** The newest thousand, newest first. */
  list(user: Owner): Promise<ListedCredential[]>;
  /** Null for one that is not the user's to manage, as for one that is not or has ended. */
  find(user: Owner, tokenId: string): Promise<ListedCredential | null>;
}
