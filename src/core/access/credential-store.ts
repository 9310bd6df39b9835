import type { Scope } from "../../contract/scope.ts";
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
  /** The agent it is bound to; none unless given. */
  readonly agentId?: string | null;
}

export interface IssuedCredential {
  readonly credential: ListedCredential;
  readonly secret: string;
}

/** Owners and their credentials. Secrets are random, shown once, and stored as a hash only. */
export interface CredentialStore {
  /** The credential of that secret, or null. A revocation is obeyed within a second on every replica. */
  authenticate(secret: string): Promise<Credential | null>;
  /** Looks every credential up anew from here on: something has ended some of them. */
  forgetCached(): void;
  /** The owner of that kind and name, made if it is new. */
  ensureOwner(kind: Owner["kind"], name: string): Promise<Owner>;
  issue(credential: NewCredential): Promise<IssuedCredential>;
  /** The same where no credential was ever issued; null otherwise, and for all but one of those who ask at once. */
  issueFirst(credential: NewCredential): Promise<IssuedCredential | null>;
  /** All credentials, newest first, revoked ones too. */
  list(): Promise<ListedCredential[]>;
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
