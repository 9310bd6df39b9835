import type { TokenKind } from "../../contract/credential.ts";
import type { ListedCredential, NewCredential } from "../access/credential-store.ts";
import type { Role } from "../access/team-store.ts";
import type { Clock, Hash, IdSource, Settings } from "../environment.ts";
import type { StorageLimits, Usage } from "../limits/storage-limits.ts";
import type { Actor } from "../project/actor.ts";
import type { Moved, Quarantined } from "./adopted-memory.ts";
import type { AgentChange, AgentRecord, NewAgent } from "./agent.ts";

/** Storage of agents, their grants and their tokens. */
export interface AgentStore {
  /** Returns 256 bits derived from the agent's id and the service's secret, in hexadecimal. */
  claimSeed(agentId: string): Promise<string>;
  /** Returns a new confirmation token: random, with a recognisable prefix. */
  newConfirmationToken(): string;
  find(agentId: string): Promise<AgentRecord | null>;
  findByClaim(claimHash: string): Promise<AgentRecord | null>;
  /** The newest 1,000 agents that this user approved (null: any user), newest first. */
  list(approverId: string | null): Promise<{ agent: AgentRecord; lastUsedAt: number | null }[]>;
  /** When a token ends; null if it never does or is unknown. */
  tokenExpiry(tokenId: string): Promise<number | null>;
  /**
   * Runs the work in one transaction, durably committed before this resolves. The work may be retried after a deadlock,
   * so it must have no effects outside the transaction.
   */
  transaction<T>(work: (transaction: AgentTransaction) => Promise<T>): Promise<T>;
  /** The same for registrations, which run one at a time, so that a flood of them holds only one connection. */
  registration<T>(work: (transaction: AgentTransaction) => Promise<T>): Promise<T>;
}

/** A line of the audit log. Contains neither content nor secrets. */
export interface AgentAudit {
  readonly operation: string;
  readonly ownerId: string;
  readonly agentId: string;
  readonly tokenId?: string | null;
  readonly requestId?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface AgentTransaction {
  /** Locks all data of these owners until the end of the transaction. Must come before any row lock. */
  lockOwners(ownerIds: readonly string[]): Promise<void>;
  /** Reads the agent without a lock, to find out what to lock. */
  find(agentId: string): Promise<AgentRecord | null>;
  /** Reads the agent and locks it against changes to it and its tokens. */
  findForChange(agentId: string): Promise<AgentRecord | null>;
  /**
   * Makes room for another unclaimed agent from this network, removing the oldest at the limit if possible. Returns
   * which limit leaves no room; null if there is room.
   */
  makeRoomForAgent(network: string | null): Promise<"network" | "all" | null>;
  /** Storage quotas. */
  readonly limits: StorageLimits;
  /** Returns an owner's usage, including the writes of this transaction. */
  usage(ownerId: string): Promise<Usage>;
  /** Stores the agent with its own quarantine, and returns the quarantine's id. */
  register(agent: NewAgent): Promise<string>;
  change(agentId: string, change: AgentChange): Promise<void>;
  /** The user's current role in the team. */
  roleIn(teamId: string, userId: string): Promise<Role | null>;
  issue(
    credential: NewCredential,
    requestId: string,
  ): Promise<{ credential: ListedCredential; secret: string }>;
  /** Returns a valid token's expiry, and whether it has been replaced; null if the token has ended. */
  validToken(tokenId: string): Promise<{ expiresAt: number | null; isReplaced: boolean } | null>;
  /** Ends the agent's tokens of these kinds at once. */
  revokeTokens(agentId: string, kinds: readonly TokenKind[]): Promise<void>;
  /**
   * Ends every formal token of the agent except this one, which counts as replaced and ends at `until` at the latest.
   */
  replaceToken(agentId: string, tokenId: string, until: number): Promise<void>;
  /**
   * Ends the agent's current formal token if it was never used; returns false if it was. Atomic with respect to
   * concurrent use: either the use counts and this returns false, or the use is refused.
   */
  endUnusedToken(agentId: string): Promise<boolean>;
  /**
   * Limits the lifetime of the agent's temporary token, unless it has ended. With `onlyFor`, the token is from now on
   * valid only for that operation.
   */
  limitTemporaryToken(agentId: string, until: number, onlyFor?: string): Promise<void>;
  /**
   * Returns everything in a quarantine, in the order in which it was stored, and locks it if `isLocked`. Quarantines
   * are bounded in size.
   */
  quarantined(quarantineId: string, how: { isLocked: boolean }): Promise<Quarantined[]>;
  /** Returns which of these public ids the owner already has. */
  takenIds(ownerId: string, memoryIds: readonly string[]): Promise<Set<string>>;
  /**
   * Returns, as `factKey`, which of these keys the owner states or has stated in memories that are not permanently
   * deleted.
   */
  factsOf(ownerId: string, semanticKeys: readonly string[]): Promise<Set<string>>;
  /**
   * Moves memories out of a quarantine, with their versions, and updates both owners' indexes. Deletes their
   * embeddings, since callers may have supplied them. Adds a line to the audit trail of each todo and decision.
   */
  move(
    from: string,
    moved: readonly Moved[],
    audit: AgentAudit,
    by: { readonly at: number; readonly actor: Actor },
  ): Promise<void>;
  audit(line: AgentAudit): Promise<void>;
}

/** Ports of the agent use cases. Each uses the part that it needs by `Pick`. */
export interface AgentPorts {
  readonly agents: AgentStore;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly hash: Hash;
}
