import type { Owner } from "./credential.ts";
import type { ListedCredential } from "./credential-store.ts";

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
