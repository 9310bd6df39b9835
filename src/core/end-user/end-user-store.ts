/** End users of applications: owners below an application's owner, each with a space of its own. */
import type { Owner } from "../access/credential.ts";

/** An end user as its application sees it. */
export interface StoredEndUser {
  readonly ownerId: string;
  readonly userId: string;
  /** Number of memories, without todos and decisions. */
  readonly memories: number;
  readonly firstSeen: number;
  /** Accurate to the minute. */
  readonly lastActive: number;
}

export interface EndUsersPage {
  readonly limit: number;
  /** Only end users after this one. */
  readonly after: string | null;
  /** Only end users whose id begins with this text. */
  readonly prefix: string | null;
}

/** Port: the end users of applications. An application is known by the id of its owner. */
export interface EndUserStore {
  /** Returns the end user's owner, and notes that it is active; null if it has never written. */
  find(applicationId: string, userId: string): Promise<Owner | null>;
  /** The same, but creates the owner if it is new. `conflict` while an end user of that name is being erased. */
  ensure(applicationId: string, userId: string): Promise<Owner>;
  get(applicationId: string, userId: string): Promise<StoredEndUser | null>;
  /** In the order of their ids. The time depends on the page, not on how many there are. */
  list(applicationId: string, page: EndUsersPage): Promise<StoredEndUser[]>;
}
